// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What the pages of the console share: their head, the sign-in, the state of the server, and questions to it.

export const at = (id) => document.getElementById(id);

// --- formatting

export const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const finest = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
export const number = (n) => (n === null || n === undefined ? '–' : n >= 100 ? whole.format(n) : fine.format(n));
export const small = (n) => (n === null || n === undefined ? '–' : n >= 100 ? whole.format(n) : finest.format(n));

export function span(seconds) {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

// In the operator's time zone, in an unambiguous order: 2026-11-22 10:27:56.
export const moment = (time) => new Date(time).toLocaleString('sv-SE');

export function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// A list that says the same stays as it is, so that somebody can select from it while it is asked for again and again.
export function fill_list(id, facts) {
  const made = element('dl');
  made.append(...facts.flatMap(([name, value, mood]) => [element('dt', name), element('dd', value, mood)]));
  if (at(id).innerHTML !== made.innerHTML) at(id).replaceChildren(...made.children);
}

// What is chosen stays, whether it is offered or not.
export function offer(select, names) {
  const chosen = select.value;
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen];
  if ([...select.options].map((o) => o.text).join() === all.join()) return;
  select.replaceChildren(...all.map((name) => new Option(name)));
  if (chosen !== '') select.value = chosen;
}

export function choose(field, value) {
  if (field.options && ![...field.options].some((o) => o.value === value)) field.add(new Option(value));
  field.value = value;
}

// The plan whose keys each have numbers of their own is always there, configured or not.
export const plans_of = (sample) => [...new Set([...sample.plans, 'enterprise'])];

export function key_link(id) {
  const link = element('a', id);
  link.href = `/keys/${id}`;
  return link;
}

export const on_submit = (id, then) => at(id).addEventListener('submit', (event) => {
  event.preventDefault();
  then();
});

export function quota_bar(period, { quota, used }) {
  const bar = element('meter');
  Object.assign(bar, { min: 0, max: quota, high: quota * 0.8, optimum: 0, value: used });
  bar.setAttribute('aria-label', `${period}: ${whole.format(used)} of ${whole.format(quota)} used`);
  return bar;
}

// The windows of a plan as pairs of period and state: the short one, then the long one if there is one.
export const windows_of = (quotas) => Object.entries(quotas ?? {}).filter(([, state]) => state?.quota !== undefined);

export const present = (period) => (period === 'day' ? 'today' : `this ${period}`);

// The times in answers are the server's, whose clock the browser's may differ from.
let clock_ahead = 0; // of the server, in milliseconds
const server_now = () => Date.now() + clock_ahead;

// A row for each quota of a key: what is used of it, and when it is whole again.
export function show_quotas(id, { quota, bannedUntil }) {
  const rows = [];
  for (const [period, q] of windows_of(quota)) {
    const left = q.reset - server_now() / 1000;
    const row = element('div', `${period}: ${whole.format(q.used)} of ${whole.format(q.quota)} used, whole again ${left > 0 ? `in ${span(left)}` : 'now'}`);
    row.append(quota_bar(period, q));
    rows.push(row);
  }
  const banned_for = bannedUntil ? (new Date(bannedUntil) - server_now()) / 1000 : 0;
  if (banned_for > 0) rows.push(element('p', `banned for ${span(banned_for)} more`, 'bad'));
  at(id).replaceChildren(...rows);
}

// --- questions to the server

class refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// A whole number that JavaScript cannot hold stays the text that was sent, where the browser tells it.
const keep_exact = (_, value, context) => (Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source ?? value : value);

// Returns the answer as { body, headers }. Throws an error with the message for people, and with the status of a refusal.
export async function ask(path, { method = 'GET', body, headers = {} } = {}) {
  let answer;
  let told;
  try {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    answer = await fetch(path, { method, headers: { ...type, ...headers }, body: JSON.stringify(body) });
    told = JSON.parse(await answer.text(), keep_exact);
  } catch {
    throw new Error('The server does not answer.');
  }
  if (answer.ok) return { body: told, headers: answer.headers };
  // The session has ended, or is another operator's: another page has changed it.
  if ([401, 403].includes(answer.status) && path !== '/session' && user.name !== null) read_user();
  throw new refusal(answer.status, told.message);
}

// The browser traps the focus in a dialog, and returns it when the dialog closes.
export function ask_first(text) {
  at('sure-text').textContent = text;
  at('sure').showModal();
  return new Promise((done) => {
    // Not the event `close`: it comes later, and the next question may be open by then.
    at('sure-form').onsubmit = (event) => done(event.submitter.value === 'yes');
    at('sure').oncancel = () => done(false);
  });
}

// Does something while these buttons cannot be pushed, so that a double click does it once. The focus stays where it was.
export async function do_once(buttons, action) {
  const focused = document.activeElement;
  for (const button of buttons) button.disabled = true;
  try {
    return await action();
  } finally {
    for (const button of buttons) button.disabled = false;
    if (document.activeElement === document.body) focused.focus();
  }
}

export function tell(id, text) {
  at(id).textContent = text;
  at(id).hidden = text === '';
}

let outcome_timer = null;

// What came of an action, where it moves nothing else. It covers something, so it goes after a while.
export function tell_outcome(text, is_trouble = false) {
  at('outcome').textContent = text;
  at('outcome').className = is_trouble ? 'trouble' : '';
  clearTimeout(outcome_timer);
  outcome_timer = setTimeout(() => { at('outcome').textContent = ''; }, 20_000);
}

// --- who is signed in

let user = { canSignIn: false, name: null, role: null };
let user_turn = 0; // counts the questions and answers about the user, of which the latest counts
let must_read_user = false; // since the question failed
const followers = [];
const other_pages = new BroadcastChannel('session'); // of this origin, which share the session

export const is_signed_in = () => user.name !== null;
export const can_sign_in = () => user.canSignIn;

// Calls back when somebody signs in or out, and once when the page knows who is signed in.
export const follow_user = (follower) => followers.push(follower);

function take_user(told) {
  user_turn += 1;
  user = told;
  const is_in = is_signed_in();
  at('user-name').textContent = is_in ? `${user.name}, ${user.role}` : '';
  at('sign-in').hidden = is_in || !user.canSignIn;
  at('sign-out').hidden = !is_in;
  document.body.dataset.role = user.role ?? '';
  for (const follower of followers) follower(user);
}

async function read_user() {
  const turn = ++user_turn;
  must_read_user = false;
  const told = await ask('/session').catch(() => null);
  if (turn !== user_turn) return;
  if (told) take_user(told.body);
  else must_read_user = true;
}

// After a sign-in or a sign-out.
function change_user(told) {
  take_user(told);
  other_pages.postMessage('changed');
}

other_pages.onmessage = read_user;
// The browser may keep a page that was left, and show it again as it was.
addEventListener('pageshow', ({ persisted }) => { if (persisted) read_user(); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) read_user(); });

export function sign_in() {
  tell('sign-in-trouble', '');
  at('token').value = '';
  at('sign-in-box').showModal();
}

at('sign-in').addEventListener('click', sign_in);
at('sign-in-cancel').addEventListener('click', () => at('sign-in-box').close());
on_submit('sign-in-form', () => do_once(at('sign-in-form').querySelectorAll('button'), async () => {
  try {
    const { body } = await ask('/session', { method: 'POST', body: { token: at('token').value.trim() } });
    at('token').value = '';
    at('sign-in-box').close();
    change_user(body);
    at('sign-out').focus();
  } catch (failure) {
    tell('sign-in-trouble', failure.message);
    at('token').select();
  }
}));
at('sign-out').addEventListener('click', () => do_once([at('sign-out')], async () => {
  try {
    change_user((await ask('/session', { method: 'DELETE' })).body);
    at('sign-in').focus();
  } catch (failure) {
    tell_outcome(failure.message, true);
  }
}));

// For a page whose part `open` is for those who are signed in. `open` is called when somebody signs in, or somebody else
// does; `close` when nobody is signed in any more.
export function follow_session(open, close) {
  let reader = null;
  let is_old = false;
  addEventListener('pageshow', ({ persisted }) => { if (persisted) is_old = true; });
  at('closed-button').addEventListener('click', sign_in);
  follow_user(({ name, role }) => {
    at('closed').hidden = is_signed_in();
    at('open').hidden = !is_signed_in();
    at('closed-sign-in').hidden = !can_sign_in();
    at('closed-off').hidden = can_sign_in();
    const before = reader;
    reader = is_signed_in() ? `${name} ${role}` : null;
    if (reader === before && !is_old) return;
    is_old = false;
    if (reader !== null) return void open();
    // A key that is shown once stays until its reader closes it.
    for (const box of document.querySelectorAll('dialog[open]')) if (!['sign-in-box', 'secret-box'].includes(box.id)) box.close();
    close();
  });
}

for (const link of document.querySelectorAll('nav a[href]')) {
  if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
  else if (location.pathname.startsWith(`${link.pathname}/`)) link.setAttribute('aria-current', 'true');
}

// --- events

const silence_ms = 5000; // the server sends a sample each second
let source = null;
let heard = 0;
let take_sample = null;

function show_state(state, text = state) {
  at('state').dataset.state = state;
  if (at('state').textContent !== text) at('state').textContent = text;
  document.body.classList.toggle('lost', state === 'lost');
}

// Of a service that listens on every address, this page knows one: its own.
function docs_of(service) {
  const docs = new URL('/docs', service);
  if (['0.0.0.0', '[::]'].includes(docs.hostname)) docs.hostname = location.hostname;
  return docs.href;
}

function hear(event) {
  heard = Date.now();
  const sample = JSON.parse(event.data);
  clock_ahead = sample.time - heard;
  if (must_read_user) read_user();
  show_state(sample.state);
  at('about').textContent = `${sample.node}, ${sample.environment}, version ${sample.version}, up ${span(sample.uptime)}`;
  at('docs').href = docs_of(sample.service);
  take_sample(sample);
}

function connect() {
  if (source || document.hidden) return;
  heard = Date.now();
  source = new EventSource('/events');
  source.onmessage = hear;
  source.onerror = () => {
    // After an answer that is no stream, the browser does not try again by itself.
    if (source.readyState !== EventSource.CLOSED) return show_state('lost', 'no connection');
    disconnect();
    tell_refusal();
    setTimeout(connect, 5000);
  };
}

// An EventSource does not give the answer that it was refused with, so it is asked for once more.
async function tell_refusal() {
  try {
    const answer = await fetch('/events');
    if (answer.ok) return void answer.body.cancel();
    at('about').textContent = (await answer.json()).message;
    show_state('lost', 'refused');
  } catch {
    show_state('lost', 'no connection');
  }
}

function disconnect() {
  source?.close();
  source = null;
}

// Calls back with each sample of the server.
export function listen(taker) {
  take_sample = taker;
  connect();
}

// While the page is hidden, the server need not collect its data.
document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()));

// A connection that is cut without a word tells no error.
setInterval(() => {
  if (source && Date.now() - heard > silence_ms) show_state('lost', 'no connection');
}, 1000);

read_user();
