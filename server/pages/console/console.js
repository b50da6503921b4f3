// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
import { ask, ask_first, at, can_sign_in, do_once, element, fill_list, follow_user, is_signed_in, listen, moment, number, show_quotas,
  small, tell, tell_outcome, whole } from '/shared.js';

const shown_seconds = { least: 60, most: 300 };
const gap_seconds = 3; // the server sends a sample each second

// --- charts

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const bands = [['2xx', '--s2'], ['3xx', '--s3'], ['4xx', '--s4'], ['5xx', '--s5']];
const lines = [['p50', '--s2'], ['p90', '--s4'], ['p99', '--s5']];
const past = { time: [], bands: bands.map(() => []), lines: lines.map(() => []) };
const can_draw = typeof uPlot !== 'undefined';
let charts = [];

// To uPlot, null is a gap in a line; over undefined, which is a second without requests, the line goes on.
function remember(sample) {
  const time = sample.time / 1000;
  if (time - past.time.at(-1) > gap_seconds) {
    past.time.push(time - gap_seconds / 2);
    for (const row of [...past.bands, ...past.lines]) row.push(null);
  }
  past.time.push(time);
  bands.forEach(([name], i) => past.bands[i].push(sample.requests.status[name]));
  lines.forEach(([name], i) => past.lines[i].push(sample.requests.latency[name] ?? undefined));
  while (past.time[0] < time - shown_seconds.most) {
    for (const row of [past.time, ...past.bands, ...past.lines]) row.shift();
  }
}

// Each band is stacked on those after it, so that the last one, the failures, is at the bottom.
function stacked() {
  const sums = past.bands.map((row) => row.slice());
  for (let i = sums.length - 2; i >= 0; i -= 1) sums[i] = sums[i].map((n, k) => (n === null ? null : n + sums[i + 1][k]));
  return [past.time, ...sums];
}

// `least`: the minimum of the scale's upper end, so that no traffic is a flat line and not a tiny scale.
function make_chart(where, series, least) {
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui' };
  const clock = (_, times) => times.map((t) => new Date(t * 1000).toLocaleTimeString('en-GB'));
  const range = () => {
    const last = past.time.at(-1) ?? Date.now() / 1000;
    return [Math.min(past.time[0] ?? last, last - shown_seconds.least), last];
  };
  return new uPlot({
    width: where.clientWidth,
    height: 200,
    legend: { show: false },
    padding: [8, 28, 0, 0],
    cursor: { y: false, points: { show: false } },
    scales: { x: { range }, y: { range: (_, low, high) => [0, Math.max((high ?? 0) * 1.1, least)] } },
    axes: [{ ...axis, values: clock, space: 90, size: 30 }, { ...axis, size: 56, values: (_, all) => all.map((n) => small(n)) }],
    series: [{}, ...series],
  }, null, where);
}

function make_charts() {
  for (const chart of charts) chart.destroy();
  charts = [
    make_chart(at('status-chart'), bands.map(([, c]) => ({ stroke: colour(c), fill: colour(c), width: 1, points: { show: false } })), 1),
    make_chart(at('latency-chart'), lines.map(([, c]) => ({ stroke: colour(c), width: 2, points: { show: false } })), 0.01),
  ];
  draw();
}

function draw() {
  if (charts.length === 0) return;
  charts[0].setData(stacked());
  charts[1].setData([past.time, ...past.lines]);
}

function make_legend(where, entries) {
  const values = entries.map(([name, c]) => {
    const entry = element('span');
    const mark = element('i');
    mark.style.background = `var(${c})`;
    const value = element('b', '–');
    entry.append(mark, `${name} `, value);
    where.append(entry);
    return value;
  });
  return (row) => entries.forEach(([name], i) => { values[i].textContent = small(row[name]); });
}
const tell_bands = make_legend(at('status-legend'), bands);
const tell_lines = make_legend(at('latency-legend'), lines);

if (can_draw) {
  make_charts();
  new ResizeObserver(() => {
    const boxes = [at('status-chart'), at('latency-chart')];
    charts.forEach((chart, i) => {
      if (chart.width !== boxes[i].clientWidth) chart.setSize({ width: boxes[i].clientWidth, height: 200 });
    });
  }).observe(at('charts'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', make_charts);
} else {
  at('charts').hidden = true;
  at('no-charts').hidden = false;
}

// --- events

function fill_row(row, cells) {
  while (row.cells.length < cells.length) row.insertCell();
  cells.forEach((cell, i) => row.cells[i].replaceChildren(cell));
}

function fill_table(id, rows, otherwise) {
  const body = at(id).tBodies[0];
  body.replaceChildren(...rows.map((cells) => {
    const row = element('tr');
    fill_row(row, cells);
    return row;
  }));
  if (rows.length > 0) return;
  const cell = element('td', otherwise, 'quiet');
  cell.colSpan = 6;
  body.insertRow().append(cell);
}

function look_button(id) {
  const link = element('button', id, 'link');
  link.type = 'button';
  link.addEventListener('click', () => {
    at('key-id').value = id;
    look(id);
  });
  return link;
}

// The order stands still while somebody points at a key or has the focus on one; then only the rates change.
function fill_keys(id, keys) {
  const table = at(id);
  if (!table.querySelector('.link') || !(table.matches(':hover') || table.querySelector(':focus-visible')))
    return fill_table(id, keys.map((k) => [look_button(k.key), number(k.rate)]), 'none');
  for (const row of table.tBodies[0].rows) {
    const now = keys.find((k) => k.key === row.cells[0].textContent);
    row.cells[1].textContent = number(now ? now.rate : 0);
  }
}

function health(sample) {
  const { store, quotas } = sample;
  const facts = [['store', store.ready ? 'takes requests' : 'takes no requests', store.ready ? 'good' : 'bad']];
  if (store.commit !== undefined) {
    facts.push(['writes waiting', number(store.writesWaiting), store.writesRefused > 0 ? 'bad' : '']);
    facts.push(['a commit takes', `${small(store.commit)} ms`]);
    if (store.writesRefused > 0) facts.push(['writes refused', `${number(store.writesRefused)} a second`, 'bad']);
  }
  if (store.connections !== undefined) {
    const all = store.connections >= store.connectionsWanted;
    facts.push(['database connections', `${store.connections} of ${store.connectionsWanted}`, all ? 'good' : 'bad']);
    facts.push(['statements in flight', number(store.inFlight)]);
  }
  if (quotas.shared) {
    facts.push(['quotas', quotas.answers ? `shared by ${quotas.nodes} nodes` : 'Redis does not answer', quotas.answers ? 'good' : 'bad']);
    facts.push(['leases', `${number(quotas.leases)}, with ${number(quotas.tokensHeld)} tokens`]);
    facts.push(['calls of Redis', `${number(quotas.calls)} a second, waited for by ${number(quotas.waited)}`]);
    if (quotas.byPolicy > 0) facts.push(['decided without Redis', `${number(quotas.byPolicy)} a second`, 'bad']);
  } else {
    facts.push(['quotas', 'counted by this process', 'good']);
  }
  facts.push(['keys', number(sample.keys.count)]);
  facts.push(['wait for a thread', `${small(sample.turnWait)} ms`, sample.turnWait > 500 ? 'bad' : '']);
  facts.push(['threads', number(sample.process.threads)], ['open files', number(sample.process.files)]);
  if (sample.logLinesLost > 0) facts.push(['log lines lost', number(sample.logLinesLost), 'bad']);
  fill_list('health', facts);
}

function show(sample) {
  const { requests, connections, process } = sample;
  at('rate').textContent = number(requests.rate);
  at('p99').textContent = small(requests.latency.p99);
  at('p50').textContent = small(requests.latency.p50);
  at('refused').textContent = number(requests.rateLimited + requests.banned);
  at('banned').textContent = number(requests.banned);
  at('faults').textContent = number(requests.status['5xx']);
  at('faults-tile').classList.toggle('alarm', requests.status['5xx'] > 0);
  at('connections').textContent = number(connections.open);
  at('connections-share').value = connections.max > 0 ? connections.open / connections.max : 0;
  at('connections-share').title = `${connections.open} of ${connections.max}`;
  at('cpu').textContent = small(process.cpu * 100);
  at('memory').textContent = whole.format(process.memory / 1048576);
  tell_bands(requests.status);
  tell_lines(requests.latency);
  fill_table('operations', [...requests.operations].sort((a, b) => b.rate - a.rate).map((o) =>
    [o.name, number(o.rate), small(o.p50), small(o.p99), number(o.clientErrors), number(o.serverErrors)]), 'nothing is asked now');
  fill_keys('by-use', sample.keys.byUse);
  fill_keys('by-refusals', sample.keys.byRefusals);
  health(sample);
  remember(sample);
  draw();
}

// --- a key

let wanted = null; // { id } of the key that was asked for last; another object each time
let looked_at = null; // the id of the key that is shown

function show_key(key) {
  looked_at = key.id;
  at('key-page').href = `/keys/${key.id}`;
  const facts = [['key', `${key.id} (${key.prefix}…${key.lastFour})`], ['name', key.name || '–'], ['plan', key.plan],
    ['may', key.scope === 'read' ? 'read' : 'read and write'], ['state', key.state, key.state === 'active' ? 'good' : 'bad'],
    ['made', moment(key.createdAt)]];
  if (key.expiresAt) facts.push(['expires', moment(key.expiresAt)]);
  if (key.bannedUntil) facts.push(['banned until', moment(key.bannedUntil), 'bad']);
  fill_list('key-facts', facts);
  show_quotas('key-quotas', key);
}

// An answer that comes after another key was asked for is not shown.
async function look(id) {
  const mine = wanted = { id };
  let trouble = '';
  try {
    const { body: key } = await ask(`/keys/${id}/facts`);
    if (mine !== wanted) return;
    show_key(key);
  } catch (failure) {
    if (mine !== wanted) return;
    looked_at = null;
    trouble = failure.message;
  }
  at('key').hidden = looked_at === null;
  tell('key-trouble', trouble);
}

setInterval(async () => {
  const mine = wanted;
  if (!looked_at || looked_at !== mine.id || document.hidden) return;
  const told = await ask(`/keys/${looked_at}/facts`).catch(() => null);
  if (mine === wanted && told) show_key(told.body);
}, 2000);

at('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  look(at('key-id').value.trim());
});

// --- actions

follow_user(() => {
  at('actions-off').hidden = can_sign_in();
  at('actions-closed').hidden = !can_sign_in() || is_signed_in();
});

// With null for `done`, the answer says what is done.
async function act_now(done, method, path, body) {
  tell_outcome('…');
  try {
    const answer = await ask(path, { method, body });
    tell_outcome(done ?? answer.body.done);
    return true;
  } catch (failure) {
    tell_outcome(failure.message, true);
    return false;
  }
}

// Returns true if it was done.
const act = (...what) => do_once(document.querySelectorAll('.acts button'), () => act_now(...what));

async function act_on_key(id, done, method, path, body) {
  if (await act(done, method, `/admin/v1/keys/${id}${path}`, body) && wanted.id === id) look(id);
}

at('ban').addEventListener('click', async () => {
  const id = looked_at; // the one that the question names
  const length = at('ban-for').selectedOptions[0].text;
  const seconds = Number(at('ban-for').value);
  if (await ask_first(`Ban ${id} and all keys of its identity for ${length}?`)) {
    act_on_key(id, `${id} is banned for ${length}.`, 'PUT', '/ban', { seconds });
  }
});
at('unban').addEventListener('click', () => act_on_key(looked_at, `The ban of ${looked_at} is lifted.`, 'DELETE', '/ban'));
at('drain').addEventListener('click', async () => {
  if (await ask_first('Close all connections and stop this server?')) act(null, 'POST', '/drain', {});
});

listen(show);
