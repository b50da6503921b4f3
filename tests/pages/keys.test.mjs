// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The keys in the console as operators and viewers see them.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { answerWith } from './answers.mjs';
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
const ids = `[...document.querySelectorAll('#keys a')].map((link) => link.textContent).join()`;
const row = (id) => `([...document.querySelectorAll('#keys tbody tr')].find((r) => r.cells[0].textContent === '${id}')?.innerText ?? '')`;

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
  await page.until('the keys', `document.querySelector('#keys a') !== null`);
  return page;
}

async function openKey(page, hand, id) {
  await page.until(`the row of ${id}`, `${row(id)} !== ''`);
  await hand.push(page, `a[href="/keys/${id}"]`);
  await page.until('the key', `location.pathname === '/keys/${id}' && document.getElementById('key').checkVisibility()`);
  await page.until('the plans', `document.getElementById('key-plan').options.length > 1`);
}

async function goBack(page) {
  await page.evaluate('history.back()');
  await page.until('the keys', `document.querySelector('#keys a') !== null`);
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
      await page.until('the chart', `document.querySelectorAll('#usage-chart > div').length === 30`);
      await page.until('who made it', `${text('changes')}.includes('rosa')`);
      await show(page, `keys-key-${look.name}`);
      await fits(page, look);
      await hand.push(page, '#reset');
      await page.until('the reset', `${text('key-done')} === 'The quota is whole again.' && ${text('key-quotas')}.includes('day: 0 of')`);
      await hand.choose(page, '#key-plan', 'pro');
      await hand.push(page, '#set-plan');
      await page.until('the plan', `${text('key-done')} === 'Changed.' && ${text('key-quotas')}.includes('of 10,000 used')`);
      await hand.push(page, '#ban');
      await answerYes(page, hand);
      await page.until('the ban', `${text('key-done')} === 'Banned for 10 minutes.' && ${text('key-facts')}.includes('banned')`);
      await hand.push(page, '#unban');
      await page.until('the end of the ban', `${text('key-done')} === 'The ban is lifted.' && ${text('key-facts')}.includes('active')`);
      await hand.push(page, '#rotate');
      await page.until('the second key', isOpen('secret-box'));
      await hand.push(page, '#secret-close');
      await page.until('the end', `!${isOpen('secret-box')}`);
      await hand.push(page, '#revoke');
      await answerYes(page, hand, 'no');
      assert.equal((await administer(program, 'GET', '/keys/k2')).state, 'active');
      await hand.push(page, '#revoke');
      await answerYes(page, hand);
      await page.until('the end of the key', `${text('key-done')} === 'Revoked.' && ${text('key-facts')}.includes('revoked')`);
      await page.until('what was done', `document.querySelectorAll('#changes tbody tr').length === 7`);

      await hand.push(page, 'nav a[href="/keys"]');
      await page.until('its row', `${row('k2')}.includes('revoked') && ${row('k3')}.includes('The app')`);
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
    await page.until('the keys', `document.querySelector('#keys a') !== null`);
    await show(page, `keys-${look.name}`);
    assert.deepEqual(await faults(page), [], 'in the list');
    await fits(page, look);
    await mouse.push(page, '#make');
    await show(page, `keys-make-${look.name}`);
    assert.deepEqual(await faults(page), [], 'in the form');
    await mouse.push(page, '#make-cancel');
    await openKey(page, mouse, 'k1');
    await mouse.push(page, 'summary');
    await show(page, `keys-usage-${look.name}`);
    assert.deepEqual(await faults(page), [], 'in the key');
    await fits(page, look);
    isSound(page, program);
  });
}

test('a viewer looks and has no actions', async (t) => {
  const program = await start(t);
  const page = await openKeys(program, desk, { token: tokens.vera });
  await page.until('who it is', `${text('user-name')} === 'vera, viewer'`);
  await openKey(page, mouse, 'k1');
  const shown = await page.evaluate(`[...document.querySelectorAll('button')].filter((b) => b.checkVisibility()).map((b) => b.textContent)`);
  assert.deepEqual(shown, ['Sign out']);
  await mouse.push(page, '#sign-out');
  await page.until('that nothing is left', `document.getElementById('open').hidden && ${text('key-facts')} === '' && ${text('changes')} === 'timewhowhat'`);
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

test('what is written for the plan stays while another action is done', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await openKey(page, mouse, 'k1');
  await mouse.choose(page, '#key-plan', 'pro');
  await mouse.fill(page, '#key-per-minute', '77');
  await mouse.push(page, '#reset');
  await page.until('the reset', `${text('key-done')} === 'The quota is whole again.'`);
  const written = `[document.getElementById('key-plan').value, document.getElementById('key-per-minute').value].join()`;
  assert.equal(await page.evaluate(written), 'pro,77');
  await mouse.push(page, '#set-plan');
  await page.until('the change', `${text('key-done')} === 'Changed.'`);
  assert.equal((await administer(program, 'GET', '/keys/k1')).perMinute, 77);
  isSound(page, program);
});

test('what others do to a key is shown while its page is open', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await openKey(page, mouse, 'k1');
  await administer(program, 'PUT', '/keys/k1/ban', { seconds: 600 });
  await page.until('the ban', `${text('key-facts')}.includes('statebanned')`);
  isSound(page, program);
});

test('changes that were not searched for are not passed over', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await openKey(page, mouse, 'k1');
  assert.ok(await page.evaluate(`document.getElementById('changes-further').hidden`));
  await page.evaluate(answerWith('/admin/v1/audit', [], { link: '</admin/v1/audit?cursor=older>; rel="next"' }));
  await mouse.push(page, '#reset');
  await page.until('that there may be more', `document.getElementById('changes-further').checkVisibility()`);
  isSound(page, program);
});

test('a double click does an action once', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await openKey(page, mouse, 'k1');
  for (const [id, path, done] of [['unban', 'ban', 'The ban is lifted.'], ['reset', 'reset-quota', 'The quota is whole again.'], ['rotate', 'rotate', 'Rotated.']]) {
    await page.evaluate(`document.getElementById('${id}').focus()`);
    await page.evaluate(`for (const push of ['first', 'second']) document.getElementById('${id}').click()`);
    await page.until('the answer', `${text('key-done')} === '${done}'`);
    assert.equal(page.requests.filter((url) => url.endsWith(`/keys/k1/${path}`)).length, 1, id);
    if (id !== 'rotate') assert.equal(await page.evaluate('document.activeElement.id'), id);
  }
  await page.until('the second key', isOpen('secret-box'));
  await mouse.push(page, '#secret-close');
  await page.until('the focus where it was', `document.activeElement.id === 'rotate'`);
  isSound(page, program);
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

test('a year that is mistyped is not sent', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await mouse.push(page, '#make');
  await mouse.fill(page, '#make-name', 'The app');
  await page.evaluate(`void (document.getElementById('make-expires').value = '20266-01-01T12:00')`);
  await mouse.push(page, '#make-go');
  await page.until('the complaint of the browser', `document.activeElement.id === 'make-expires' && document.activeElement.matches(':invalid')`);
  assert.ok(!page.requests.some((url) => url.endsWith('/admin/v1/keys')));
  isSound(page, program);
});

test('what is written for a new key outlives the session', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await mouse.push(page, '#make');
  await mouse.fill(page, '#make-name', 'The app');
  await page.evaluate(`fetch('/session', { method: 'DELETE' }).then(() => undefined)`);
  await mouse.push(page, '#make-go');
  await page.until('the end of the session', `!${isOpen('make-box')} && document.getElementById('open').hidden`);
  await signIn(page, mouse, tokens.rosa);
  await page.until('the keys', `document.querySelector('#keys a') !== null`);
  await mouse.push(page, '#make');
  await mouse.push(page, '#make-go');
  await page.until('the new key', isOpen('secret-box'));
  assert.equal((await administer(program, 'GET', '/keys/k2')).name, 'The app');
  isSound(page, program, [401]);
});

for (const hand of hands) {
  test(`a reload, the way back and a link show the same list (${hand.name})`, async (t) => {
    const program = await start(t);
    for (let i = 0; i < 60; i += 1) await makeKey(program, `Key + ${i}`, i % 2 === 0 ? 'pro' : 'free');
    const page = await openKeys(program, desk, { hand });
    await hand.fill(page, '#name', 'key +');
    await page.press('Enter');
    await page.until('the search', `${ids}.startsWith('k2,k3,')`);
    await hand.choose(page, '#plan', 'pro');
    await page.until('the plan', `${ids}.startsWith('k2,k4,') && document.getElementById('next').disabled === false`);
    await hand.push(page, '#next');
    await page.until('the second page', `${ids} === 'k52,k54,k56,k58,k60'`);
    const link = await page.evaluate('location.href');

    await page.evaluate('location.reload()');
    await page.until('the reload', `${ids} === 'k52,k54,k56,k58,k60' && document.getElementById('name').value === 'key +' && document.getElementById('plan').value === 'pro'`);
    await openKey(page, hand, 'k54');
    await goBack(page);
    await page.until('the page as it was', `${ids} === 'k52,k54,k56,k58,k60'`);
    await hand.push(page, '#previous');
    await page.until('the first page', `${ids}.startsWith('k2,k4,')`);
    await page.evaluate('history.back()');
    await page.until('the list before', `${ids}.startsWith('k2,k3,') && document.getElementById('plan').value === 'all'`);
    isSound(page, program);

    const other = await browser.open(link, desk);
    await other.until('the sign-in', `!document.getElementById('sign-in').hidden`);
    await signIn(other, hand, tokens.vera);
    await other.until('what the link shows', `${ids} === 'k52,k54,k56,k58,k60'`);
    await hand.push(other, '#previous');
    await other.until('the first page', `${ids}.startsWith('k2,k4,')`);
    isSound(other, program);
  });
}

test('the use of a key is a chart and a table', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-usage-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const store = ['--store', `lmdb:${join(directory, 'shop')}`];
  const before = await startConsoleProgram(...store);
  await before.use(3);
  await before.stop(); // it stores what it has counted
  const program = await startConsoleProgram(...store);
  t.after(() => program.stop());
  const page = await openKeys(program);
  await openKey(page, mouse, 'k1');
  const sum = (column) => `[...document.querySelectorAll('#usage tbody tr')].reduce((all, row) => all + Number(row.cells[${column}].textContent), 0)`;
  await page.until('the days', `document.querySelectorAll('#usage tbody tr').length === 30 && ${sum(1)} === 3 && ${sum(2)} === 0`);
  assert.match(await page.evaluate(`document.getElementById('usage-chart').ariaLabel`), /^Requests a day from .*: 3 admitted and 0 refused in all, at most [1-3] a day$/);
  assert.ok(await page.evaluate(`Math.max(...[...document.querySelectorAll('#usage-chart .admitted')].map((bar) => bar.clientHeight)) > 100`));
  assert.ok(await page.evaluate(`!document.getElementById('usage').checkVisibility()`));
  await hands[1].push(page, 'summary');
  await page.until('the table', `document.getElementById('usage').checkVisibility()`);
  await show(page, 'keys-use');
  isSound(page, program);
});

test('the quotas of a key have the windows of its plan, whatever these are', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-plans-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'plans.toml');
  await writeFile(file, '[plans.bulk]\nper_hour = 50\nper_month = 5000\n[plans.quick]\nper_second = 90\n');
  const program = await startConsoleProgram('--config', file);
  t.after(() => program.stop());
  const { key } = await makeKey(program, 'The app', 'bulk');
  await makeKey(program, 'A script', 'quick');
  await until('that the server knows the key', async () => (await program.use(1, '/pets', key)).has(200));
  const page = await openKeys(program);
  await page.until('the day', `/of 100,000 today/.test(${row('k1')})`);
  await page.until('the month', `${row('k2')}.includes('1 of 5,000 this month')`);
  await page.until('the second', `${row('k3')}.includes('0 of 90 this second')`);
  assert.deepEqual(await faults(page), []);
  await openKey(page, mouse, 'k2');
  await page.until('both windows', `/^hour: 1 of 50 used, whole again in .*month: 1 of 5,000 used, whole again in /.test(${text('key-quotas')})`);
  isSound(page, program);
});

test('a key that does not exist has no page', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await page.evaluate(`void (location.href = '/keys/k99')`);
  await page.until('the answer', `${text('trouble')} === 'There is no key k99.' && !document.getElementById('key').checkVisibility()`);
  isSound(page, program, [404]);
});

test('actions on a key stay in their places while it changes', async (t) => {
  const program = await start(t);
  for (const look of looks.filter(({ dark }) => !dark)) {
    const page = await openKeys(program, look);
    await openKey(page, mouse, 'k1');
    const places = () => page.evaluate(`['set-plan', 'ban', 'unban', 'reset', 'revoke', 'rotate'].map((id) => {
      const { x, y } = document.getElementById(id).getBoundingClientRect();
      return [id, x + scrollX, y + scrollY];
    })`);
    const before = await places();
    await mouse.push(page, '#ban');
    await answerYes(page, mouse);
    await page.until('the ban', `${text('key-done')} === 'Banned for 10 minutes.' && ${text('key-quotas')}.includes('banned for')`);
    assert.deepEqual(await places(), before);
    await mouse.push(page, '#unban');
    await page.until('its end', `${text('key-done')} === 'The ban is lifted.'`);
  }
});

test('the focus stays in a dialog, and is always seen', async (t) => {
  const program = await start(t);
  const page = await openKeys(program);
  await hands[1].push(page, '#make');
  for (let i = 0; i < 40; i += 1) {
    await page.press('Tab');
    assert.ok(await page.evaluate(`document.activeElement === document.body || document.getElementById('make-box').contains(document.activeElement)`));
    assert.ok(await page.evaluate(`document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none'`));
  }
  await page.press('Escape');
  await page.until('the focus where it was', `!${isOpen('make-box')} && document.activeElement.id === 'make'`);
});

test('where there are no tokens the page tells how to have some', async (t) => {
  const bare = await Program.start();
  t.after(() => bare.stop());
  const page = await browser.open(`${bare.admin}/keys`, desk);
  await page.until('the hint', `document.getElementById('closed-off').checkVisibility() && ${text('closed-off')}.includes('--admin-token-file')`);
  assert.ok(await page.evaluate(`document.getElementById('sign-in').hidden && document.getElementById('open').hidden && !document.getElementById('closed-sign-in').checkVisibility()`));
  isSound(page, bare);
});
