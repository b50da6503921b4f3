// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The keys in the console as operators and viewers see them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faults } from './axe.mjs';
import { Browser, until } from './browser.mjs';
import { administer, makeKey, signIn, startConsoleProgram, tokens } from './console_program.mjs';
import { hands } from './hands.mjs';
import { looks, show } from './looks.mjs';
import { Program } from './program.mjs';

const [mouse] = hands;
const desk = looks.find(({ name }) => name === 'desktop-light');
let browser;
before(async () => { browser = await Browser.start(); });
after(async () => { await browser?.stop(); });

const text = (id) => `document.getElementById('${id}').textContent`;
const isOpen = (id) => `document.getElementById('${id}').open`;
const rows = `[...document.querySelectorAll('#keys tbody tr')].map((row) => row.innerText)`;
const row = (id) => `([...document.querySelectorAll('#keys tbody tr')].find((r) => r.cells[0].textContent === '${id}')?.innerText ?? '')`;

// The link of a key gets a name that selectors can use.
const mark = (page, id) => page.until(`the row of ${id}`, `(() => {
  const link = [...document.querySelectorAll('#keys .link')].find((l) => l.textContent === '${id}');
  if (link) link.id = 'opens-${id}';
  return Boolean(link);
})()`);

async function start(t) {
  const program = await startConsoleProgram();
  t.after(() => program.stop());
  return program;
}

async function openKeys(program, look = desk, { hand = mouse, token = tokens.rosa } = {}) {
  const page = await browser.open(`${program.admin}/keys`, look);
  await page.until('the sign-in', `!document.getElementById('sign-in').hidden`);
  await page.until('the plans', `document.getElementById('make-plan').options.length > 1`);
  if (!token) return page;
  await signIn(page, hand, token);
  await page.until('the keys', `document.querySelector('#keys .link') !== null`);
  return page;
}

async function openKey(page, hand, id) {
  await mark(page, id);
  await hand.push(page, `#opens-${id}`);
  await page.until('the key', isOpen('key'));
}

const answerYes = async (page, hand, value = 'yes') => {
  await page.until('the question', isOpen('sure'));
  await hand.push(page, `#sure [value=${value}]`);
  await page.until('the end of the question', `!${isOpen('sure')}`);
};

// What the browser itself writes of a refused request is no complaint where one was expected.
function isSound(page, program, refused = []) {
  assert.deepEqual(page.complaints.map((c) => /status of ([0-9]+)/.exec(c)?.[1] ?? c), refused.map(String));
  for (const url of page.requests)
    assert.ok(url.startsWith(`${program.admin}/`) || url.startsWith('data:'), `asked another host: ${url}`);
}

const fits = async (page, look) =>
  assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${look.width}`), 'the page is wider than the screen');

for (const look of looks.filter(({ name }) => ['desktop-light', 'phone-dark'].includes(name))) {
  for (const hand of hands) {
    test(`an operator does everything with a key (${look.name}, ${hand.name})`, async (t) => {
      const program = await start(t);
      const page = await openKeys(program, look, { hand, token: null });
      await signIn(page, hand, 'a wrong one');
      await page.until('the refusal', `${text('sign-in-trouble')} === 'The admin token is wrong.'`);
      await hand.fill(page, '#token', tokens.rosa);
      await page.press('Enter');
      await page.until('the keys', `${row('k1')}.includes('demo')`);
      await page.until('who it is', `${text('user-name')} === 'rosa, operator'`);

      await hand.push(page, '#make');
      await page.until('the form', isOpen('make-box'));
      await hand.fill(page, '#make-name', 'The app');
      await hand.choose(page, '#make-plan', 'free');
      await hand.push(page, '#make-go');
      await page.until('the new key', isOpen('secret-box'));
      const key = await page.evaluate(`document.getElementById('secret').value`);
      assert.match(key, /^ps_live_/);
      await hand.push(page, '#copy');
      await page.until('the copy', `${text('copied')} === 'Copied.'`);
      await show(page, `keys-secret-${look.name}`);
      await hand.push(page, '#secret-close');
      await page.until('the end', `!${isOpen('secret-box')}`);
      await page.until('that the key is nowhere on the page', `document.getElementById('secret').value === ''`);
      assert.equal(await page.evaluate('document.activeElement.id'), 'make');
      await page.until('its row', `${row('k2')}.includes('The app') && ${row('k2')}.includes('0 of 1,000')`);

      await until('that the server knows the key', async () => (await program.use(1, '/pets', key)).has(200));
      await program.use(2, '/pets', key);
      await openKey(page, hand, 'k2');
      await page.until('what is used', `${text('key-quotas')}.includes('day: 3 of 1,000 used')`);
      await show(page, `keys-key-${look.name}`);
      await fits(page, look);
      await hand.push(page, '#reset');
      await page.until('the reset', `${text('key-done')} === 'The quota is whole again.' && ${text('key-quotas')}.includes('day: 0 of')`);
      await hand.choose(page, '#key-plan', 'pro');
      await hand.push(page, '#set-plan');
      await page.until('the plan', `${text('key-done')} === 'Changed.' && ${row('k2')}.includes('pro')`);
      await hand.push(page, '#ban');
      await answerYes(page, hand);
      await page.until('the ban', `${text('key-done')} === 'Banned for 10 minutes.' && ${row('k2')}.includes('banned')`);
      await hand.push(page, '#unban');
      await page.until('the end of the ban', `${text('key-done')} === 'The ban is lifted.' && ${row('k2')}.includes('active')`);
      await hand.push(page, '#rotate');
      await page.until('the second key', isOpen('secret-box'));
      await hand.push(page, '#secret-close');
      await page.until('its row', `${row('k3')}.includes('The app')`);
      await hand.push(page, '#revoke');
      await answerYes(page, hand, 'no');
      assert.equal((await administer(program, 'GET', '/keys/k2')).state, 'active');
      await hand.push(page, '#revoke');
      await answerYes(page, hand);
      await page.until('the end of the key', `${text('key-done')} === 'Revoked.' && ${row('k2')}.includes('revoked')`);

      await hand.push(page, '#key-close');
      await page.until('the end', `!${isOpen('key')} && document.activeElement.textContent === 'k2'`);
      await hand.push(page, '#sign-out');
      await page.until('the end of the session', `document.getElementById('open').hidden && !${rows}.join().includes('demo')`);
      const actors = (await administer(program, 'GET', '/audit?key=k2')).map(({ actor }) => actor);
      assert.deepEqual([...new Set(actors)], ['rosa']);
      isSound(page, program, [401]);
    });
  }
}

for (const look of looks) {
  test(`nothing serious is in the way of a screen reader or of bad eyes (${look.name})`, async (t) => {
    const program = await start(t);
    const page = await openKeys(program, look, { token: null });
    assert.deepEqual(await faults(page), [], 'before the sign-in');
    await fits(page, look);
    await mouse.push(page, '#sign-in');
    assert.deepEqual(await faults(page), [], 'in the sign-in');
    await mouse.fill(page, '#token', tokens.rosa);
    await page.press('Enter');
    await page.until('the keys', `document.querySelector('#keys .link') !== null`);
    await show(page, `keys-${look.name}`);
    assert.deepEqual(await faults(page), [], 'in the list');
    await fits(page, look);
    await mouse.push(page, '#make');
    await show(page, `keys-make-${look.name}`);
    assert.deepEqual(await faults(page), [], 'in the form');
    await mouse.push(page, '#make-cancel');
    await openKey(page, mouse, 'k1');
    assert.deepEqual(await faults(page), [], 'in the key');
    isSound(page, program);
  });
}

test('a viewer looks and has no actions', async (t) => {
  const program = await start(t);
  const page = await openKeys(program, desk, { token: tokens.vera });
  await page.until('who it is', `${text('user-name')} === 'vera, viewer'`);
  await openKey(page, mouse, 'k1');
  const shown = await page.evaluate(`[...document.querySelectorAll('button')].filter((b) => b.checkVisibility()).map((b) => b.textContent)`);
  assert.deepEqual(shown, ['Sign out', 'Search', 'k1', 'Previous page', 'Next page', 'Close']);
  isSound(page, program);
});

test('a session that ends elsewhere ends on the page', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await page.evaluate(`fetch('/session', { method: 'DELETE' }).then(() => undefined)`);
  await mouse.push(page, '#filters button');
  await page.until('the sign-in', `document.getElementById('open').hidden && !document.getElementById('sign-in').hidden`);
  isSound(page, program, [401]);
});

test('keys are found by name, plan and state, and a long list has pages', async (t) => {
  const program = await start(t);
  for (let i = 0; i < 30; i += 1) await makeKey(program, `Key ${i}`, i % 3 === 0 ? 'pro' : 'free');
  await administer(program, 'PUT', '/keys/k5/ban', { seconds: 600 });
  const page = await openKeys(program);
  const ids = `[...document.querySelectorAll('#keys .link')].map((l) => l.textContent).join()`;
  await page.until('a page', `${ids}.split(',').length === 25 && document.getElementById('previous').disabled`);
  await mouse.push(page, '#next');
  await page.until('the rest', `${ids} === 'k26,k27,k28,k29,k30,k31' && document.getElementById('next').disabled`);
  await mouse.push(page, '#previous');
  await page.until('the first page', `${ids}.startsWith('k1,')`);
  await mouse.fill(page, '#name', 'key 2');
  await page.press('Enter');
  await page.until('what has the name', `${ids} === 'k4,k22,k23,k24,k25,k26,k27,k28,k29,k30,k31'`);
  await mouse.choose(page, '#plan', 'pro');
  await page.until('what has the plan', `${ids} === 'k23,k26,k29'`);
  await mouse.fill(page, '#name', '');
  await mouse.choose(page, '#plan', 'all');
  await mouse.choose(page, '#key-state', 'banned');
  await page.until('what is banned', `${ids} === 'k5'`);
  await mouse.choose(page, '#key-state', 'expired');
  await page.until('that there is none', `${text('keys')}.includes('There is no such key.')`);
  await mouse.choose(page, '#key-state', 'all');
  await mouse.choose(page, '#sort', '-lastUsedAt');
  await page.until('the other order', `${ids}.split(',').length === 25`);
  assert.ok(page.requests.some((url) => url.includes('sort=-lastUsedAt')));
  isSound(page, program);
});

test('a key that another operator changed is read again and not overwritten', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await openKey(page, mouse, 'k1');
  await administer(program, 'PATCH', '/keys/k1', { plan: 'pro', perMinute: 7 });
  await mouse.choose(page, '#key-plan', 'free');
  await mouse.push(page, '#set-plan');
  await page.until('the news', `${text('key-trouble')}.startsWith('Another operator has changed this key.')`);
  await page.until('the key as it is', `document.getElementById('key-plan').value === 'pro' && document.getElementById('key-per-minute').value === '7'`);
  assert.equal((await administer(program, 'GET', '/keys/k1')).plan, 'pro');
  await mouse.fill(page, '#key-per-minute', '');
  await mouse.push(page, '#set-plan');
  await page.until('the change', `${text('key-done')} === 'Changed.' && document.getElementById('key-trouble').hidden`);
  assert.equal((await administer(program, 'GET', '/keys/k1')).perMinute, null);
  isSound(page, program, [412]);
});

test('what the server refuses is told in its words', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await mouse.push(page, '#make');
  await mouse.fill(page, '#make-name', 'Big');
  await mouse.choose(page, '#make-plan', 'enterprise');
  await mouse.push(page, '#make-go');
  await page.until('the refusal', `${text('make-trouble')}.includes('per minute')`);
  assert.ok(await page.evaluate(isOpen('make-box')));
  await mouse.fill(page, '#make-per-minute', '5000');
  await mouse.fill(page, '#make-per-day', '900000');
  await page.evaluate(`void (document.getElementById('make-expires').value = '2040-01-01T12:00')`);
  await mouse.push(page, '#make-go');
  await page.until('the new key', isOpen('secret-box'));
  const made = await administer(program, 'GET', '/keys/k2');
  assert.deepEqual([made.plan, made.perMinute, made.perDay, made.scope], ['enterprise', 5000, 900000, 'write']);
  assert.equal(new Date(made.expiresAt).getFullYear(), 2040);
  isSound(page, program, [400]);
});

test('the focus stays in a dialog, and is always seen', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await openKey(page, hands[1], 'k1');
  for (let i = 0; i < 40; i += 1) {
    await page.press('Tab');
    assert.ok(await page.evaluate(`document.activeElement === document.body || document.getElementById('key').contains(document.activeElement)`));
    assert.ok(await page.evaluate(`document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none'`));
  }
  await page.press('Escape');
  await page.until('the focus where it was', `!${isOpen('key')} && document.activeElement.textContent === 'k1'`);
});

test('where there are no tokens the page tells how to have some', async (t) => {
  const bare = await Program.start();
  t.after(() => bare.stop());
  const page = await browser.open(`${bare.admin}/keys`, desk);
  await page.until('the hint', `document.getElementById('closed-off').checkVisibility() && ${text('closed-off')}.includes('--admin-token-file')`);
  assert.ok(await page.evaluate(`document.getElementById('sign-in').hidden && document.getElementById('open').hidden && !document.getElementById('closed-sign-in').checkVisibility()`));
  isSound(page, bare);
});
