// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The console as an operator sees it.
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { hostname } from 'node:os';
import { after, before, test } from 'node:test';
import { holdAnswers } from './answers.mjs';
import { faults } from './axe.mjs';
import { Browser, sleep, until } from './browser.mjs';
import { makeKey, signIn, startConsoleProgram, tokens } from './console_program.mjs';
import { hands } from './hands.mjs';
import { looks, show } from './looks.mjs';
import { Program } from './program.mjs';

const [mouse] = hands;
let browser;
let program;

before(async () => {
  program = await startConsoleProgram();
  browser = await Browser.start();
});
after(async () => {
  await browser?.stop();
  await program?.stop();
});

const text = (id) => `document.getElementById('${id}').textContent`;
async function openConsole(look, of = program) {
  const page = await browser.open(`${of.admin}/`, look);
  await page.until('the first figures', `${text('state')} === 'ready' && ${text('rate')} !== '–'`);
  return page;
}

async function openAsOperator(of, { look = {}, hand = mouse } = {}) {
  const page = await openConsole(look, of);
  await signIn(page, hand, tokens.rosa);
  await page.until('who it is', `${text('user-name')} === 'rosa, operator'`);
  return page;
}

async function answerYes(page, hand = mouse) {
  await page.until('the question', `document.getElementById('sure').open`);
  await hand.push(page, '#sure [value=yes]');
}

function isSound(page, of = program) {
  assert.deepEqual(page.complaints, []);
  for (const url of page.requests)
    assert.ok(url.startsWith(`${of.admin}/`) || url.startsWith('data:'), `asked another host: ${url}`);
}

// Requests until told to stop: what the figures are to show.
function keepAsking(of = program) {
  let asked = true;
  const asking = (async () => {
    for (; asked; await sleep(50)) await of.use(1);
  })();
  return async () => {
    asked = false;
    await asking;
  };
}

for (const look of looks) {
  test(`shows what happens while it happens (${look.name})`, async () => {
    const rest = keepAsking();
    try {
      const page = await openConsole(look);
      await page.until('a rate', `parseFloat(${text('rate')}) > 0`);
      await page.until('the operation', `${text('operations')}.includes('listPets')`);
      await page.until('the key', `/k[0-9]+/.test(${text('by-use')})`);
      await page.until('the store', `${text('health')}.includes('takes requests')`);
      assert.ok(await page.evaluate('document.querySelectorAll("canvas").length') === 2, 'there are two charts');
      // Not innerWidth: a phone's browser makes that as wide as the page.
      assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${look.width}`), 'the page is wider than the screen');
      await show(page, `console-${look.name}`);
      isSound(page);
      await page.close();
    } finally {
      await rest();
    }
  });
}

for (const look of looks.filter(({ name }) => ['desktop-light', 'phone-dark'].includes(name))) {
  for (const hand of hands) {
    test(`a ban from the console takes effect, and so does its end (${look.name}, ${hand.name})`, async () => {
      const other = await startConsoleProgram();
      const page = await openAsOperator(other, { look, hand });
      await hand.fill(page, '#key-id', 'k1');
      await page.press('Enter');
      await page.until('the key', `${text('key-facts')}.includes('demo')`);
      await page.until('its quotas', `/minute: [0-9]+ of 1,000 used, whole again/.test(${text('key-quotas')})`);
      await show(page, `console-key-${look.name}`);

      const status = async () => [...(await other.use(1)).keys()][0];
      await hand.push(page, '#ban');
      await answerYes(page, hand);
      await until('the ban', async () => (await status()) === 429);
      await page.until('the ban on the page', `${text('key-quotas')}.includes('banned')`);

      await hand.push(page, '#unban');
      await until('the end of the ban', async () => (await status()) === 200);
      await page.until('the answer', `!document.getElementById('unban').disabled`);

      // Its plan and its numbers are on its page: here nothing changes them by the way.
      await hand.push(page, '#key-page');
      await page.until('the page of the key', `location.pathname === '/keys/k1' && document.getElementById('key-plan')?.checkVisibility()`);
      isSound(page, other);
      await page.close();
      assert.equal(await other.stop(), 0);
    });
  }
}

test('without a session there are no actions, and none is done', async () => {
  const page = await openConsole();
  await page.until('the hint', `document.getElementById('actions-closed').checkVisibility()`);
  assert.ok(await page.evaluate(`!document.getElementById('drain').checkVisibility()`));
  await page.evaluate(`document.getElementById('drain').click()`);
  await answerYes(page);
  await page.until('the refusal', `${text('outcome')}.includes('token')`);
  assert.equal(program.process.exitCode, null);
  // The browser itself writes failed requests to its console.
  assert.equal(page.complaints.length, 1);
  assert.match(page.complaints[0], /401/);
  await page.close();
});

test('a viewer has no actions', async () => {
  const page = await openConsole();
  await signIn(page, mouse, tokens.vera);
  await page.until('who it is', `${text('user-name')} === 'vera, viewer'`);
  assert.ok(await page.evaluate(`!document.getElementById('drain').checkVisibility()`));
  isSound(page);
  await page.close();
});

test('the head of every page tells where it is, and leads to the metrics and to the documentation', async () => {
  for (const path of ['/', '/keys', '/keys/k1', '/pets', '/orders', '/audit']) {
    const page = await browser.open(`${program.admin}${path}`);
    await page.until('the node', `${text('about')}.startsWith('${hostname()}, production, version ')`);
    const links = await page.evaluate(`[...document.querySelectorAll('nav a')].map((link) => link.href)`);
    assert.ok(links.includes(`${program.admin}/metrics`));
    assert.ok(links.includes(`${program.origin}/docs`));
    const current = await page.evaluate(`[...document.querySelectorAll('nav [aria-current]')].map((link) => link.pathname).join()`);
    assert.equal(current, path === '/keys/k1' ? '/keys' : path);
    await page.close();
  }
  assert.equal((await fetch(`${program.origin}/docs`)).status, 200);
});

test('the head knows the other environment', async () => {
  const staging = await startConsoleProgram('--environment', 'staging', '--staging-base-url', 'https://staging.pets.example/v1');
  const page = await openConsole({}, staging);
  await page.until('the environment', `${text('about')}.includes(', staging, ')`);
  assert.equal(await page.evaluate(`document.getElementById('docs').href`), 'https://staging.pets.example/docs');
  await page.close();
  await staging.stop();
});

test('a session lasts from page to page and ends with the sign-out', async () => {
  const page = await openAsOperator(program);
  await mouse.push(page, 'nav a[href="/keys"]');
  await page.until('the keys', `document.querySelector('#keys a') !== null`);
  await mouse.push(page, '#sign-out');
  await page.until('the end', `!document.getElementById('sign-in').hidden`);
  await mouse.push(page, 'nav a[href="/"]');
  await page.until('the live page', `document.getElementById('drain') !== null && !document.getElementById('sign-in').hidden`);
  assert.equal(await page.evaluate('document.cookie'), ''); // no script can read it
  isSound(page);
  await page.close();
});

test('where actions are off the page tells how to turn them on', async () => {
  const bare = await Program.start();
  try {
    const page = await openConsole({}, bare);
    await page.until('the hint', `!document.getElementById('actions-off').hidden && ${text('actions-off')}.includes('--admin-token-file')`);
    assert.ok(await page.evaluate(`document.getElementById('sign-in').hidden && !document.getElementById('drain').checkVisibility()`));
    isSound(page, bare);
    await page.close();
  } finally {
    await bare.stop();
  }
});

for (const look of looks) {
  test(`nothing serious is in the way of a screen reader or of bad eyes (${look.name})`, async () => {
    const page = await openAsOperator(program, { look });
    await mouse.fill(page, '#key-id', 'k1');
    await page.press('Enter');
    await page.until('the key', `${text('key-facts')}.includes('demo')`);
    assert.equal(await page.evaluate(`document.getElementById('key-page').pathname`), '/keys/k1');
    assert.deepEqual(await faults(page), []);
    assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${look.width}`), 'the page is wider than the screen');
    await page.close();
  });

  test(`actions stay in their places while the figures change (${look.name})`, async () => {
    const other = await startConsoleProgram();
    const page = await openAsOperator(other, { look });
    await mouse.fill(page, '#key-id', 'k1');
    await page.press('Enter');
    await page.until('the key', `${text('key-facts')}.includes('demo')`);
    const places = () => page.evaluate(`['drain', 'ban', 'unban', 'key-page'].map((id) => {
      const { x, y } = document.getElementById(id).getBoundingClientRect();
      return [id, x + scrollX, y + scrollY];
    })`);
    const before = await places();
    const keys = [];
    for (let i = 0; i < 8; i += 1) keys.push((await makeKey(other, `Key ${i}`)).key);
    // Every list of the page gets longer, and the key is banned.
    for (const key of keys) await until('the key', async () => (await other.use(1, '/pets', key)).has(200));
    await Promise.all(keys.map((key) => other.use(70, '/quota', key)));
    await other.use(5, '/store/orders');
    await page.evaluate(`fetch('/admin/v1/keys/k1/ban', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"seconds":600}' }).then(() => undefined)`);
    await page.until('the longer lists', `document.querySelectorAll('#by-use .link').length === 8 && ${text('key-quotas')}.includes('banned')`);
    assert.deepEqual(await places(), before);
    await page.close();
    await other.stop();
  });
}

test('a double click does an action once', async () => {
  const other = await startConsoleProgram();
  const page = await openAsOperator(other);
  await mouse.fill(page, '#key-id', 'k1');
  await page.press('Enter');
  await page.until('the key', `${text('key-facts')}.includes('demo')`);
  for (const [id, path] of [['unban', '/admin/v1/keys/k1/ban'], ['sign-out', '/session']]) {
    const before = page.requests.length;
    await page.evaluate(`for (const push of ['first', 'second']) document.getElementById('${id}').click()`);
    await page.until('the answer', `!document.getElementById('${id}').disabled`);
    assert.equal(page.requests.slice(before).filter((url) => url === `${other.admin}${path}`).length, 1, id);
  }
  await page.close();
  await other.stop();
});

// Lets the answer to that path reach the page, when it is there.
const release = (page, path) => page.until(`the answer to ${path}`, `release('${path}')`);
const lookAt = (page, id) => page.evaluate(`void (document.getElementById('key-id').value = '${id}', document.getElementById('key-form').requestSubmit())`);

test('an answer about a key that comes after another key was asked for is not shown', async (t) => {
  const other = await startConsoleProgram();
  t.after(() => other.stop());
  await makeKey(other, 'The app');
  const page = await openConsole({}, other);
  await page.evaluate(holdAnswers);
  await lookAt(page, 'k1');
  await lookAt(page, 'k2');
  await release(page, '/keys/k2/facts');
  await page.until('the key', `${text('key-facts')}.includes('The app')`);
  await release(page, '/keys/k1/facts');
  assert.match(await page.evaluate(text('key-facts')), /The app/);
  await page.close();
});

test('what was done to a key does not take the place of a key that was asked for meanwhile', async (t) => {
  const other = await startConsoleProgram();
  t.after(() => other.stop());
  await makeKey(other, 'The app');
  const page = await openAsOperator(other);
  await lookAt(page, 'k1');
  await page.until('the key', `${text('key-facts')}.includes('demo')`);
  await page.evaluate(holdAnswers);
  await page.evaluate(`document.getElementById('unban').click()`);
  await lookAt(page, 'k2');
  await release(page, '/admin/v1/keys/k1/ban');
  await page.until('the end of the ban', `${text('outcome')} === 'The ban of k1 is lifted.'`);
  await release(page, '/keys/k2/facts');
  await page.until('the other key', `${text('key-facts')}.includes('The app')`);
  await page.evaluate(`release('/keys/k1/facts')`); // nobody may have asked
  assert.match(await page.evaluate(text('key-facts')), /The app/);
  await page.close();
});

test('a page shows who has signed in on another one', async () => {
  const page = await openAsOperator(program);
  const other = await browser.open(`${program.admin}/`, { beside: page });
  await other.until('the same operator', `${text('user-name')} === 'rosa, operator'`);
  await mouse.push(other, '#sign-out');
  await other.until('the end', `!document.getElementById('sign-in').hidden`);
  await signIn(other, mouse, tokens.vera);
  await page.until('the other name', `${text('user-name')} === 'vera, viewer'`);
  await page.close();
});

test('a page finds out that the session is another one when it is refused or looked at again', async () => {
  const page = await openAsOperator(program);
  await page.evaluate(`fetch('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"token":"${tokens.vera}"}' }).then(() => undefined)`);
  await mouse.push(page, '#drain');
  await answerYes(page);
  await page.until('the refusal', `${text('outcome')}.includes('viewer')`);
  await page.until('the other name', `${text('user-name')} === 'vera, viewer'`);
  await page.evaluate(`fetch('/session', { method: 'DELETE' }).then(() => undefined)`);
  await page.evaluate(`void document.dispatchEvent(new Event('visibilitychange'))`);
  await page.until('the end', `!document.getElementById('sign-in').hidden`);
  await page.close();
});

test('what is left of a quota is counted by the clock of the server', async () => {
  const page = await openConsole();
  await program.use(1);
  await page.evaluate(`void (() => {
    const real = Date.now;
    Date.now = () => real() + 2 * 86_400_000;
  })()`);
  await lookAt(page, 'k1');
  await page.until('the rest of the day', `/day: .* used, whole again in /.test(${text('key-quotas')})`);
  await page.close();
});

test('the charts have a gap where the page heard nothing', async () => {
  const page = await openConsole({ dark: false });
  const painted = await page.evaluate(`(async () => {
    const sample = JSON.parse(await new Promise((hear) => {
      const source = new EventSource('/events');
      source.onmessage = ({ data }) => { source.close(); hear(data); };
    }));
    sample.requests.status['2xx'] = 100;
    const hide = (hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    // From here on the page hears this test.
    hide(true);
    window.EventSource = class { constructor() { window.heard = this; } };
    hide(false);
    for (let second = 1; second <= 60; second += 1)
      if (second <= 10 || second >= 50) heard.onmessage({ data: JSON.stringify({ ...sample, time: sample.time + 1000 * second }) });
    await new Promise(requestAnimationFrame);
    const canvas = document.querySelector('#status-chart canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const [axis, padding] = [56, 28];
    const is_green = (x) => [...Array(canvas.height).keys()].some((y) => data.slice(4 * (y * canvas.width + x), 4 * (y * canvas.width + x) + 3).join() === '58,167,109');
    return [0.1, 0.5, 0.95].map((share) => is_green(Math.round(axis + share * (canvas.width - axis - padding))));
  })()`);
  assert.deepEqual(painted, [true, false, true]);
  await page.close();
});

test('a console too many says so', async (t) => {
  const other = await startConsoleProgram();
  t.after(() => other.stop());
  const consoles = await Promise.all(Array.from({ length: 16 }, () => new Promise((done) => get(`${other.admin}/events`, done))));
  const page = await browser.open(`${other.admin}/`);
  await page.until('what the server says', `${text('about')}.startsWith('Too many consoles are open') && ${text('state')} === 'refused'`);
  for (const one of consoles) one.destroy();
  await page.until('the figures', `${text('state')} === 'ready'`);
  await page.close();
});

test('a key that has the focus stays where it is', async () => {
  const rest = keepAsking();
  try {
    const page = await openConsole();
    await page.until('the key', `document.querySelector('#by-use .link') !== null`);
    await page.evaluate(`document.querySelector('#by-use .link').id = 'busy'`);
    await page.tabTo('#busy');
    const rates = new Set();
    await until('two rates', async () => rates.add(await page.evaluate(`document.querySelector('#by-use td + td').textContent`)).size > 1);
    assert.equal(await page.evaluate('document.activeElement.id'), 'busy');
    await page.press('Enter');
    await page.until('the key', `${text('key-facts')}.includes('demo')`);
    await page.close();
  } finally {
    await rest();
  }
});

test('a server that falls silent has grey figures until it speaks again', async () => {
  const other = await startConsoleProgram();
  const page = await openConsole({}, other);
  try {
    other.process.kill('SIGSTOP');
    await page.until('the silence', `${text('state')} === 'no connection' && document.body.classList.contains('lost')`);
  } finally {
    other.process.kill('SIGCONT');
  }
  await page.until('the next figures', `${text('state')} === 'ready' && !document.body.classList.contains('lost')`);
  await page.close();
  await other.stop();
});

test('a drain from the console ends the process in order, and the page greys the figures that are old', async () => {
  const other = await startConsoleProgram('--drain-delay', '1s');
  const page = await openAsOperator(other);
  const opacity = `getComputedStyle(document.querySelector('.tiles')).opacity`;
  assert.equal(await page.evaluate(opacity), '1');
  await mouse.push(page, '#drain');
  await answerYes(page);
  await page.until('what the server says', `${text('outcome')}.startsWith('The server drains')`);
  await page.until('the end', `${text('state')} === 'no connection'`);
  assert.ok(Number(await page.evaluate(opacity)) < 1);
  assert.equal(await other.ended, 0);
  await page.close();
});
