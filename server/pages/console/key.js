// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The page of one key, which its address names: what it is, its quota, its use, its latest changes, and the actions.
import { ask, ask_first, at, choose, do_once, element, fill_list, follow_session, is_signed_in, listen, moment, offer,
  on_submit, plans_of, show_quotas, tell, whole } from '/shared.js';
import { next_cursor } from '/list.js';
import { show_secret } from '/secret.js';

const id = location.pathname.split('/').at(-1);
const base = `/admin/v1/keys/${id}`;
const changes_shown = 10;

// --- what the key is

let tag = null; // its ETag: a change is refused if the key is no longer what is shown
let works = false; // it is asked for again and again
const can_work = (key) => ['active', 'banned'].includes(key.state);

let shown = 0; // counts how often the key was shown
let numbers = null; // of the key, with which the form was filled last

// What somebody is writing stays while the key has the numbers that it had.
function fill_form(key) {
  const now = JSON.stringify([key.plan, key.perMinute, key.perDay]);
  if (numbers === now) return;
  numbers = now;
  choose(at('key-plan'), key.plan);
  at('key-per-minute').value = key.perMinute ?? '';
  at('key-per-day').value = key.perDay ?? '';
}

async function show_key() {
  const { body: key, headers } = await ask(base);
  tag = headers.get('etag');
  show_facts(key);
  fill_form(key);
}

// Facts without a value have a row, too, so that what stands below keeps its place.
function show_facts(key) {
  shown += 1;
  works = can_work(key);
  document.title = `Pet Store key ${id}`;
  const title = `${id} ${key.name}`;
  if (at('key-title').textContent !== title) at('key-title').textContent = title; // so that a selection stays
  const time = (value) => (value ? moment(value) : '–');
  fill_list('key-facts', [['key', `${key.prefix}…${key.lastFour}`], ['identity', key.identity], ['plan', key.plan],
    ['may', key.scope === 'read' ? 'read' : 'read and write'], ['state', key.state, key.state === 'active' ? 'good' : 'bad'],
    ['made', time(key.createdAt)], ['last use', key.lastUsedAt ? moment(key.lastUsedAt) : 'never'], ['expires', time(key.expiresAt)],
    ['banned until', time(key.bannedUntil), key.bannedUntil ? 'bad' : '']]);
  show_quotas('key-quotas', key);
}

setInterval(async () => {
  if (!works || !is_signed_in() || document.hidden) return;
  const before = shown;
  // Unlike a request to the API, this is no use of the session, which may end meanwhile.
  const told = await ask(`/keys/${id}/facts`).catch(() => null);
  if (told && shown === before && is_signed_in()) show_facts(told.body); // an older answer is not shown
}, 2000);

// --- its use

function make_bar({ date, admitted, refused }, most) {
  const bar = element('div');
  bar.title = `${date}: ${whole.format(admitted)} admitted, ${whole.format(refused)} refused`;
  for (const [name, count] of [['refused', refused], ['admitted', admitted]]) {
    const part = element('i', '', name);
    part.style.height = `${(100 * count) / most}%`;
    bar.append(part);
  }
  return bar;
}

async function show_usage() {
  const { body: days } = await ask(`${base}/usage`);
  const sum = (name) => whole.format(days.reduce((all, day) => all + day[name], 0));
  const most = Math.max(...days.map(({ admitted, refused }) => admitted + refused));
  at('usage-admitted').textContent = sum('admitted');
  at('usage-refused').textContent = sum('refused');
  at('usage-most').textContent = whole.format(most);
  at('usage-first').textContent = days.at(0).date;
  at('usage-last').textContent = days.at(-1).date;
  at('usage-chart').setAttribute('aria-label', `Requests a day from ${days.at(0).date} to ${days.at(-1).date}: ` +
    `${sum('admitted')} admitted and ${sum('refused')} refused in all, at most ${whole.format(most)} a day`);
  at('usage-chart').replaceChildren(...days.map((day) => make_bar(day, Math.max(most, 1))));
  fill_rows('usage', days.reverse().map(({ date, admitted, refused }) => [date, whole.format(admitted), whole.format(refused)]));
}

// --- its changes

function fill_rows(table, rows) {
  at(table).tBodies[0].replaceChildren(...rows.map((cells) => {
    const row = element('tr');
    for (const cell of cells) row.insertCell().append(cell);
    return row;
  }));
}

async function show_changes() {
  const { body, headers } = await ask(`/admin/v1/audit?limit=${changes_shown}&key=${id}`);
  at('changes-further').hidden = body.length === changes_shown || next_cursor(headers) === null;
  fill_rows('changes', body.map(({ time, actor, detail }) => [moment(time), actor, detail]));
}

// --- actions

async function show_all() {
  await show_key();
  await Promise.all([show_usage(), show_changes()]);
}

async function act_now(done, method, path, body, headers) {
  tell('key-trouble', '');
  at('key-done').textContent = '…';
  let answer = null;
  let trouble = '';
  try {
    answer = await ask(`${base}${path}`, { method, body, headers });
  } catch (failure) {
    trouble = failure.status === 412 ? 'Another operator has changed this key. This is what it is now; nothing was changed.' : failure.message;
  }
  try {
    await show_all();
  } catch (failure) {
    trouble ||= failure.message;
  }
  at('key-done').textContent = answer ? done : '';
  tell('key-trouble', trouble);
  return answer;
}

// Does something to the key, and shows what has become of it. Returns the answer if it was done.
const act = (...what) => do_once(at('key-actions').querySelectorAll('button'), () => act_now(...what));

const number_or_null = (field) => (at(field).value === '' ? null : Number(at(field).value));

on_submit('plan-form', () => act('Changed.', 'PATCH', '',
  { plan: at('key-plan').value, perMinute: number_or_null('key-per-minute'), perDay: number_or_null('key-per-day') }, { 'if-match': tag }));
on_submit('ban-form', async () => {
  const length = `${at('ban-count').value} ${at('ban-unit').selectedOptions[0].text}`;
  const seconds = at('ban-count').value * at('ban-unit').value;
  if (await ask_first(`Ban ${id} and all keys of its identity for ${length}?`)) act(`Banned for ${length}.`, 'PUT', '/ban', { seconds });
});
at('unban').addEventListener('click', () => act('The ban is lifted.', 'DELETE', '/ban'));
at('reset').addEventListener('click', () => act('The quota is whole again.', 'POST', '/reset-quota'));
at('revoke').addEventListener('click', async () => {
  if (await ask_first(`Revoke ${id} for ever? Its holder cannot use it any more.`)) act('Revoked.', 'POST', '/revoke');
});
on_submit('rotate-form', async () => {
  const made = await act('Rotated.', 'POST', '/rotate', { grace: Math.round(at('grace').value * 3600) });
  if (made) show_secret(made.body);
});

// --- who is signed in

at('all-changes').href = `/audit?key=${id}`;

async function open() {
  try {
    await show_all();
    at('key').hidden = false;
    tell('trouble', '');
  } catch (failure) {
    at('key').hidden = true;
    tell('trouble', failure.message);
  }
}

function close() {
  document.title = 'Pet Store key';
  numbers = null;
  for (const part of ['key-title', 'key-facts', 'key-quotas', 'usage-chart']) at(part).replaceChildren();
  for (const table of ['usage', 'changes']) at(table).tBodies[0].replaceChildren();
}

follow_session(open, close);
listen((sample) => offer(at('key-plan'), plans_of(sample)));
