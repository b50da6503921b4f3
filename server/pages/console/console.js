// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
'use strict';

const at = (id) => document.getElementById(id);
const shown_seconds = { least: 60, most: 300 };

// --- formatting

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const finest = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const number = (n) => (n === null || n === undefined ? '–' : n >= 100 ? whole.format(n) : fine.format(n));
const small = (n) => (n === null || n === undefined ? '–' : n >= 100 ? whole.format(n) : finest.format(n));

function span(seconds) {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

// In the operator's time zone, in an unambiguous order: 2026-11-22 10:27:56.
const moment = (time) => new Date(time).toLocaleString('sv-SE');

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// --- charts

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const bands = [['2xx', '--s2'], ['3xx', '--s3'], ['4xx', '--s4'], ['5xx', '--s5']];
const lines = [['p50', '--s2'], ['p90', '--s4'], ['p99', '--s5']];
const past = { time: [], bands: bands.map(() => []), lines: lines.map(() => []) };
const can_draw = typeof uPlot !== 'undefined';
let charts = [];

function remember(sample) {
  past.time.push(sample.time / 1000);
  bands.forEach(([name], i) => past.bands[i].push(sample.requests.status[name]));
  lines.forEach(([name], i) => past.lines[i].push(sample.requests.latency[name]));
  while (past.time[0] < sample.time / 1000 - shown_seconds.most) {
    for (const row of [past.time, ...past.bands, ...past.lines]) row.shift();
  }
}

// Each band is stacked on those after it, so that the last one, the failures, is at the bottom.
function stacked() {
  const sums = past.bands.map((row) => row.slice());
  for (let i = sums.length - 2; i >= 0; i -= 1) sums[i] = sums[i].map((n, k) => n + sums[i + 1][k]);
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
    make_chart(at('latency-chart'), lines.map(([, c]) => ({ stroke: colour(c), width: 2, points: { show: false }, spanGaps: true })), 0.01),
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

function show_state(state, text = state) {
  at('state').dataset.state = state;
  at('state').textContent = text;
}

function fill_table(id, rows, otherwise) {
  const body = at(id).tBodies[0];
  body.replaceChildren(...rows.map((cells) => {
    const row = element('tr');
    for (const cell of cells) {
      const made = element('td');
      made.append(cell);
      row.append(made);
    }
    return row;
  }));
  if (rows.length > 0) return;
  const row = element('tr');
  const cell = element('td', otherwise, 'quiet');
  cell.colSpan = 6;
  row.append(cell);
  body.append(row);
}

function key_link(id) {
  const link = element('button', id, 'link');
  link.type = 'button';
  link.addEventListener('click', () => {
    at('key-id').value = id;
    look(id);
  });
  return link;
}

function fill_list(id, facts) {
  at(id).replaceChildren(...facts.flatMap(([name, value, mood]) => [element('dt', name), element('dd', value, mood)]));
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
  show_state(sample.state);
  at('about').textContent = `version ${sample.version}, up ${span(sample.uptime)}`;
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
  for (const [id, rows] of [['by-use', sample.keys.byUse], ['by-refusals', sample.keys.byRefusals]])
    fill_table(id, rows.map((k) => [key_link(k.key), number(k.rate)]), 'none');
  health(sample);
  at('actions-off').hidden = sample.actions;
  at('actions-on').hidden = !sample.actions;
  document.querySelector('.actions').hidden = !sample.actions;
  offer_plans(sample.plans);
  remember(sample);
  draw();
}

let source = null;

function listen() {
  if (source || document.hidden) return;
  source = new EventSource('/events');
  source.onmessage = (event) => show(JSON.parse(event.data));
  source.onerror = () => {
    show_state('lost', 'no connection');
    // After an answer that is no stream, the browser does not try again by itself.
    if (source.readyState !== EventSource.CLOSED) return;
    source = null;
    setTimeout(listen, 5000);
  };
}

// While the page is hidden, the server need not collect its data.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return listen();
  source?.close();
  source = null;
});

// --- a key

let looked_at = null;

async function ask(path, options) {
  const answer = await fetch(path, options);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}

function trouble(text) {
  at('key-trouble').textContent = text;
  at('key-trouble').hidden = text === '';
}

function show_quotas(quotas) {
  const rows = [];
  for (const period of ['minute', 'day']) {
    const q = quotas?.[period];
    if (!q) continue;
    const left = q.reset - Date.now() / 1000;
    const row = element('label', `${period}: ${whole.format(q.used)} of ${whole.format(q.quota)} used, whole again ${left > 0 ? `in ${span(left)}` : 'now'}`);
    const bar = element('meter');
    Object.assign(bar, { min: 0, max: q.quota, high: q.quota * 0.8, optimum: 0, value: q.used });
    row.append(bar);
    rows.push(row);
  }
  if (quotas?.bannedFor > 0) rows.push(element('p', `banned for ${span(quotas.bannedFor)} more`, 'bad'));
  at('key-quotas').replaceChildren(...rows);
}

async function look(id) {
  try {
    const key = await ask(`/keys/${id}`);
    const facts = [['key', `${key.key} (${key.looks})`], ['name', key.name || '–'], ['plan', key.plan],
      ['may', key.scope === 'read' ? 'read' : 'read and write'], ['state', key.state, key.state === 'valid' ? 'good' : 'bad'],
      ['made', moment(key.createdAt)]];
    if (key.expiresAt) facts.push(['expires', moment(key.expiresAt)]);
    if (key.bannedUntil) facts.push(['banned until', moment(key.bannedUntil), 'bad']);
    fill_list('key-facts', facts);
    show_quotas(key.quotas);
    at('plan').value = key.plan;
    at('key').hidden = false;
    looked_at = id;
    trouble('');
  } catch (failure) {
    at('key').hidden = true;
    looked_at = null;
    trouble(failure.message);
  }
}

setInterval(async () => {
  const id = looked_at;
  if (!id || document.hidden) return;
  const quotas = await ask(`/keys/${id}/quotas`).catch(() => null);
  if (id === looked_at && quotas) show_quotas(quotas);
}, 2000);

at('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  look(at('key-id').value.trim());
});

// --- actions

function offer_plans(names) {
  const offered = at('plan');
  if ([...offered.options].map((o) => o.value).join() === names.join()) return;
  offered.replaceChildren(...names.map((name) => new Option(name)));
}

// Returns true if it was done.
async function act(path, body) {
  at('outcome').className = '';
  at('outcome').textContent = '…';
  try {
    const told = await ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'authorization': `Bearer ${at('token').value}` },
      body: JSON.stringify(body),
    });
    at('outcome').textContent = told.done;
    return true;
  } catch (failure) {
    at('outcome').textContent = failure.message;
    at('outcome').className = 'trouble';
    return false;
  }
}

function ask_first(text) {
  at('sure-text').textContent = text;
  at('sure').returnValue = 'no';
  at('sure').showModal();
  return new Promise((done) => {
    at('sure').addEventListener('close', () => done(at('sure').returnValue === 'yes'), { once: true });
  });
}

async function act_on_key(what, body) {
  const id = looked_at;
  // The server gets the change from the store within a quarter of a second.
  if (await act(`/keys/${id}/${what}`, body)) setTimeout(() => look(id), 600);
}

at('ban').addEventListener('click', async () => {
  const length = at('ban-for').value;
  if (await ask_first(`Ban ${looked_at} and all keys of its identity for ${length}?`)) act_on_key('ban', { for: length });
});
at('unban').addEventListener('click', () => act_on_key('unban', {}));
at('set-plan').addEventListener('click', () => act_on_key('plan', { plan: at('plan').value }));
at('actions-on').addEventListener('submit', (event) => event.preventDefault());
at('drain').addEventListener('click', async () => {
  if (await ask_first('Take leave of all clients and end this process?')) act('/drain', {});
});

listen();
