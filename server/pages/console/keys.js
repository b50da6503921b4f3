// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The page of the keys. Everything it knows and does goes through the administration API.
import { ask, ask_first, at, can_sign_in, element, fill_list, follow_user, is_signed_in, listen, moment, offer, quota_bar,
  show_quotas, sign_in, tell, whole } from '/shared.js';

const base = '/admin/v1/keys';
const page_size = 25;

// --- the list

let pages = []; // the address of each page up to the shown one
let next_page = null;

function first_page() {
  const query = new URLSearchParams({ limit: page_size, include: 'quota' });
  const filters = { name: at('name').value.trim(), plan: at('plan').value, state: at('key-state').value, sort: at('sort').value };
  for (const [name, value] of Object.entries(filters)) if (value && value !== 'all') query.set(name, value);
  return `${base}?${String(query).replaceAll('+', '%20')}`; // in a query of the API, + is a plus
}

// RFC 8288: <…>; rel="next"
const link_of = (headers) => /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;

function used_today({ day, minute }) {
  const q = day ?? minute;
  const cell = element('span', '', 'used');
  cell.append(quota_bar(day ? 'day' : 'minute', q), `${whole.format(q.used)} of ${whole.format(q.quota)}`);
  return cell;
}

function key_row(key) {
  const row = element('tr');
  const opener = element('button', key.id, 'link');
  opener.type = 'button';
  opener.addEventListener('click', () => open_key(key.id));
  const state = element('span', key.state, key.state === 'active' ? 'good' : 'bad');
  for (const cell of [opener, key.name, key.plan, state, key.lastUsedAt ? moment(key.lastUsedAt) : 'never', used_today(key.quota)])
    row.insertCell().append(cell);
  return row;
}

const opener_of = (id) => [...at('keys').querySelectorAll('.link')].find((link) => link.textContent === id);

async function show_page(address) {
  try {
    const { body, headers } = await ask(address);
    const rows = body.map(key_row);
    if (rows.length === 0) {
      const cell = element('td', 'There is no such key.', 'quiet');
      cell.colSpan = 6;
      rows.push(element('tr'));
      rows[0].append(cell);
    }
    at('keys').tBodies[0].replaceChildren(...rows);
    next_page = link_of(headers);
    at('previous').disabled = pages.length < 2;
    at('next').disabled = next_page === null;
    tell('trouble', '');
  } catch (failure) {
    tell('trouble', failure.message);
  }
}

function search() {
  pages = [first_page()];
  return show_page(pages[0]);
}

at('filters').addEventListener('submit', (event) => {
  event.preventDefault();
  search();
});
for (const id of ['plan', 'key-state', 'sort']) at(id).addEventListener('change', search);
at('next').addEventListener('click', () => {
  pages.push(next_page);
  show_page(next_page);
});
at('previous').addEventListener('click', () => {
  pages.pop();
  show_page(pages.at(-1));
});

// --- one key

let shown = null; // the id
let tag = null; // its ETag: a change is refused if the key is no longer what is shown

// Returns false if another key is to be shown meanwhile.
async function show_key(id) {
  const { body: key, headers } = await ask(`${base}/${id}`);
  if (id !== shown) return false;
  tag = headers.get('etag');
  at('key-title').textContent = `${key.id} ${key.name}`;
  const facts = [['key', `${key.prefix}…${key.lastFour}`], ['identity', key.identity], ['plan', key.plan],
    ['may', key.scope === 'read' ? 'read' : 'read and write'], ['state', key.state, key.state === 'active' ? 'good' : 'bad'],
    ['made', moment(key.createdAt)], ['last use', key.lastUsedAt ? moment(key.lastUsedAt) : 'never']];
  if (key.expiresAt) facts.push(['expires', moment(key.expiresAt)]);
  if (key.bannedUntil) facts.push(['banned until', moment(key.bannedUntil), 'bad']);
  fill_list('key-facts', facts);
  show_quotas('key-quotas', key.quota);
  at('key-plan').value = key.plan;
  at('key-per-minute').value = key.perMinute ?? '';
  at('key-per-day').value = key.perDay ?? '';
  return true;
}

async function open_key(id) {
  shown = id;
  tell('trouble', '');
  tell('key-trouble', '');
  at('key-done').textContent = '';
  try {
    if (await show_key(id)) at('key').showModal();
  } catch (failure) {
    tell('trouble', failure.message);
  }
}

at('key-close').addEventListener('click', () => at('key').close());
// The list was read again since then, so the browser cannot return the focus.
at('key').addEventListener('close', () => opener_of(shown)?.focus());

// Does something to the key, and shows what has become of it. Returns the answer if it was done.
async function act(done, method, path, body, headers) {
  const id = shown;
  tell('key-trouble', '');
  at('key-done').textContent = '…';
  let answer = null;
  let trouble = '';
  try {
    answer = await ask(`${base}/${id}${path}`, { method, body, headers });
  } catch (failure) {
    trouble = failure.status === 412 ? 'Another operator has changed this key. This is what it is now; nothing was changed.' : failure.message;
  }
  try {
    await show_key(id);
    await show_page(pages.at(-1));
  } catch (failure) {
    trouble ||= failure.message;
  }
  if (id !== shown) return answer;
  at('key-done').textContent = answer ? done : '';
  tell('key-trouble', trouble);
  return answer;
}

const number_or_null = (id) => (at(id).value === '' ? null : Number(at(id).value));
const on_submit = (id, then) => at(id).addEventListener('submit', (event) => {
  event.preventDefault();
  then();
});

on_submit('plan-form', () => act('Changed.', 'PATCH', '',
  { plan: at('key-plan').value, perMinute: number_or_null('key-per-minute'), perDay: number_or_null('key-per-day') }, { 'if-match': tag }));
on_submit('ban-form', async () => {
  const length = `${at('ban-count').value} ${at('ban-unit').selectedOptions[0].text}`;
  if (await ask_first(`Ban ${shown} and all keys of its identity for ${length}?`))
    act(`Banned for ${length}.`, 'PUT', '/ban', { seconds: at('ban-count').value * at('ban-unit').value });
});
at('unban').addEventListener('click', () => act('The ban is lifted.', 'DELETE', '/ban'));
at('reset').addEventListener('click', () => act('The quota is whole again.', 'POST', '/reset-quota'));
at('revoke').addEventListener('click', async () => {
  if (await ask_first(`Revoke ${shown} for ever? Its holder cannot use it any more.`)) act('Revoked.', 'POST', '/revoke');
});
on_submit('rotate-form', async () => {
  const made = await act('Rotated.', 'POST', '/rotate', { grace: Math.round(at('grace').value * 3600) });
  if (made) show_secret(made.body);
});

// --- a new key

at('make').addEventListener('click', () => {
  at('make-form').reset();
  tell('make-trouble', '');
  at('make-box').showModal();
});
at('make-cancel').addEventListener('click', () => at('make-box').close());
on_submit('make-form', async () => {
  const expires = at('make-expires').value;
  const body = { name: at('make-name').value, plan: at('make-plan').value, scope: at('make-scope').value };
  if (expires) body.expiresAt = new Date(expires).toISOString();
  for (const [name, id] of [['perMinute', 'make-per-minute'], ['perDay', 'make-per-day']])
    if (at(id).value !== '') body[name] = Number(at(id).value);
  at('make-go').disabled = true; // a second key is nothing that a double click should make
  try {
    const made = await ask(base, { method: 'POST', body });
    at('make-box').close();
    show_secret(made.body);
    await show_page(pages.at(-1));
  } catch (failure) {
    tell('make-trouble', failure.message);
  } finally {
    at('make-go').disabled = false;
  }
});

function show_secret({ id, key }) {
  at('secret-title').textContent = `The new key ${id}`;
  at('secret').value = key;
  at('copied').textContent = '';
  at('secret-box').showModal();
  at('copy').focus();
}

at('copy').addEventListener('click', () => {
  at('secret').select();
  // Unlike navigator.clipboard, this works on a page without TLS.
  at('copied').textContent = document.execCommand('copy') ? 'Copied.' : 'The browser did not copy it: it is selected, copy it by hand.';
});
at('secret-close').addEventListener('click', () => at('secret-box').close());
// Escape is pressed too easily for a key that is never shown again.
at('secret-box').addEventListener('cancel', (event) => event.preventDefault());
at('secret-box').addEventListener('keydown', (event) => { // a second Escape would close it all the same
  if (event.key === 'Escape') event.preventDefault();
});
at('secret-box').addEventListener('close', () => { at('secret').value = ''; });

// --- who is signed in

at('closed-button').addEventListener('click', sign_in);

let reader = null; // whose list is shown

follow_user(({ name, role }) => {
  at('closed').hidden = is_signed_in();
  at('open').hidden = !is_signed_in();
  at('closed-sign-in').hidden = !can_sign_in();
  at('closed-off').hidden = can_sign_in();
  if (!is_signed_in()) {
    // A key that is shown once stays until its reader closes it.
    for (const box of document.querySelectorAll('dialog[open]')) if (!['sign-in-box', 'secret-box'].includes(box.id)) box.close();
    at('keys').tBodies[0].replaceChildren();
  } else if (`${name} ${role}` !== reader) {
    search();
  }
  reader = is_signed_in() ? `${name} ${role}` : null;
});

// The plan whose keys each have numbers of their own is always there, configured or not.
listen((sample) => {
  const plans = [...new Set([...sample.plans, 'enterprise'])];
  offer(at('plan'), ['all', ...plans]);
  for (const id of ['key-plan', 'make-plan']) offer(at(id), plans);
});
