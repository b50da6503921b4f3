// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The lists of the console that are only looked at: the audit log, animals and orders.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answerWith, failOnce, holdAnswers } from './answers.mjs';
import { faults } from './axe.mjs';
import { Browser } from './browser.mjs';
import { administer, makeKey, signIn, startConsoleProgram, tokens } from './console_program.mjs';
import { hands } from './hands.mjs';
import { looks, show } from './looks.mjs';

const [mouse] = hands;
const desk = looks.find(({ name }) => name === 'desktop-light');
let browser;
before(async () => { browser = await Browser.start(); });
after(async () => { await browser?.stop(); });

const text = (id) => `document.getElementById('${id}').textContent`;
const cells = (table, column) => `[...document.querySelectorAll('#${table} tbody tr')].map((row) => row.cells[${column}]?.textContent).join()`;
const isEnabled = (id) => `document.getElementById('${id}').disabled === false`;

async function start(t) {
  const program = await startConsoleProgram();
  t.after(() => program.stop());
  return program;
}

async function open(program, path, { look = desk, hand = mouse, token = tokens.vera } = {}) {
  const page = await browser.open(`${program.admin}${path}`, look);
  await page.until('the sign-in', `!document.getElementById('sign-in').hidden`);
  await signIn(page, hand, token);
  await page.until('the list', `document.querySelector('table.list td') !== null`);
  return page;
}

function isSound(page, program, refused = []) {
  assert.deepEqual(page.complaints.map((c) => /status of ([0-9]+)/.exec(c)?.[1] ?? c), refused.map(String));
  for (const url of page.requests)
    assert.ok(url.startsWith(`${program.admin}/`) || url.startsWith('data:'), `asked another host: ${url}`);
}

const both = looks.filter(({ name }) => ['desktop-light', 'phone-dark'].includes(name)).flatMap((look) =>
  hands.map((hand) => ({ look, hand, name: `${look.name}, ${hand.name}` })));

for (const { look, hand, name } of both) {
  test(`the audit log is filtered and has pages (${name})`, async (t) => {
    const program = await start(t);
    for (let i = 0; i < 30; i += 1) await makeKey(program, `Key ${i}`);
    await administer(program, 'PUT', '/keys/k5/ban', { seconds: 600 });
    await administer(program, 'POST', '/keys/k7/revoke');
    const page = await open(program, '/audit', { look, hand });
    const actions = cells('changes', 2);
    await page.until('the newest first', `${actions}.startsWith('revoke,ban,create,')`);
    assert.ok(await page.evaluate(`${cells('changes', 1)}.startsWith('rosa,rosa,')`));
    assert.match(await page.evaluate(text('shown')), /^25 shown, from .* to /);
    await hand.push(page, '#next');
    await page.until('the rest', `${cells('changes', 3)} === 'k8,k7,k6,k5,k4,k3,k2,k1' && document.getElementById('next').disabled`);
    assert.match(await page.evaluate(text('shown')), /^8 shown, from .* to /);
    await hand.push(page, '#previous');
    await page.until('the first page', `${actions}.startsWith('revoke,ban,create,') && ${isEnabled('next')}`);
    await hand.fill(page, '#key', 'k5');
    await page.press('Enter');
    await page.until('one key', `${actions} === 'ban,create'`);
    await hand.choose(page, '#action', 'create');
    await page.until('one action', `${actions} === 'create'`);
    await hand.fill(page, '#key', '');
    await hand.fill(page, '#actor', 'nobody');
    await page.press('Enter');
    await page.until('that there is none', `${text('changes')}.includes('There is no such change.') && ${text('shown')} === 'There is no such change.'`);
    await page.evaluate('history.back()');
    await page.until('what was before', `${actions} === 'create' && document.getElementById('key').value === 'k5'`);
    await hand.push(page, '#changes a');
    await page.until('the key', `location.pathname === '/keys/k5' && ${text('key-title')} === 'k5 Key 3' && document.getElementById('all-changes').checkVisibility()`);
    await hand.push(page, '#all-changes');
    await page.until('its changes', `location.search === '?key=k5' && ${actions} === 'ban,create'`);
    isSound(page, program);
  });
}

for (const { look, hand, name } of both) {
  test(`animals and orders are filtered and have pages (${name})`, async (t) => {
    const program = await start(t);
    const order = (petId) => fetch(`${program.url}/store/orders`, { method: 'POST', body: JSON.stringify({ petId }),
      headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' } });
    const add = (animal) => fetch(`${program.url}/pets`, { method: 'POST', body: JSON.stringify(animal),
      headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' } }).then((answer) => answer.json());
    let last;
    for (let i = 0; i < 30; i += 1) last = await add({ name: `Rosa ${i}`, categoryId: 77, status: 'available' });
    assert.equal((await order(last.id)).status, 201);
    const page = await open(program, '/pets', { look, hand });
    await hand.fill(page, '#categoryId', '77');
    await page.press('Enter');
    await page.until('one category', `${cells('pets', 1)}.startsWith('Rosa 0,Rosa 1,') && ${isEnabled('next')}`);
    await hand.push(page, '#next');
    await page.until('the rest', `${cells('pets', 1)} === 'Rosa 25,Rosa 26,Rosa 27,Rosa 28,Rosa 29'`);
    await hand.push(page, '#previous');
    await page.until('the first page', `${cells('pets', 1)}.startsWith('Rosa 0,')`);
    await hand.choose(page, '#status', 'pending');
    await page.until('one status', `${cells('pets', 1)} === 'Rosa 29'`);

    await hand.push(page, 'nav a[href="/orders"]');
    await page.until('the orders', `${cells('orders', 1)}.split(',').includes('${last.id}')`);
    await hand.fill(page, '#petId', String(last.id));
    await page.press('Enter');
    await page.until('one animal', `${cells('orders', 1)} === '${last.id}'`);
    await hand.choose(page, '#status', 'delivered');
    await page.until('that there is none', `${text('orders')}.includes('There is no such order.')`);
    isSound(page, program);
  });
}

test('a number that is too large for JavaScript is shown as it is', async (t) => {
  const program = await start(t);
  const body = '{"name":"Rosa","categoryId":9007199254740993}';
  await fetch(`${program.url}/pets`, { method: 'POST', body, headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' } });
  const page = await open(program, '/pets?categoryId=9007199254740993');
  await page.until('the animal', `${cells('pets', 1)} === 'Rosa' && ${cells('pets', 2)} === '9007199254740993'`);
  isSound(page, program);
});

test('an answer that comes after a newer one is not shown', async (t) => {
  const program = await start(t);
  const page = await open(program, '/audit');
  await page.evaluate(holdAnswers);
  const search = `document.getElementById('filters').requestSubmit()`;
  await page.evaluate(search);
  await page.until('the old answer', 'held.length === 1');
  await makeKey(program, 'The app');
  await page.evaluate(search);
  await page.until('the new answer', 'held.length === 2');
  await page.evaluate('held[1]()');
  await page.until('the news', `${cells('changes', 3)} === 'k2,k1'`);
  await page.evaluate('held[0]()');
  assert.equal(await page.evaluate(cells('changes', 3)), 'k2,k1');
  isSound(page, program);
});

test('a search that has not reached the end of the audit log does not say that there is no such change', async (t) => {
  const program = await start(t);
  const page = await open(program, '/audit');
  await page.evaluate(answerWith('/admin/v1/audit', [], { link: '</admin/v1/audit?cursor=older>; rel="next"' }));
  await page.evaluate(`document.getElementById('filters').requestSubmit()`);
  await page.until('what is known', `${text('changes')}.includes('There is none in the part that was searched.') && ${isEnabled('next')}`);
  isSound(page, program);
});

test('a page that could not ask who is signed in asks again', async (t) => {
  const program = await start(t);
  const page = await browser.open(`${program.admin}/audit`, { ...desk, script: failOnce('/session') });
  await page.until('the sign-in', `!document.getElementById('sign-in').hidden && document.getElementById('closed-sign-in').checkVisibility()`);
  isSound(page, program);
});

test('a double click turns one page', async (t) => {
  const program = await start(t);
  for (let i = 0; i < 60; i += 1) await makeKey(program, `Key ${i}`);
  const page = await open(program, '/audit');
  await page.until('the first page', `${cells('changes', 3)}.startsWith('k61,') && ${isEnabled('next')}`);
  await page.evaluate(holdAnswers);
  const clickTwice = (id) => `for (let i = 0; i < 2; i += 1) document.getElementById('${id}').click()`;
  await page.evaluate(clickTwice('next'));
  assert.equal(await page.evaluate('asked'), 1);
  await page.until('the answer', 'held.length === 1');
  await page.evaluate('held[0]()');
  await page.until('the second page', `${cells('changes', 3)}.startsWith('k36,')`);
  await page.evaluate(`document.getElementById('next').click()`);
  await page.until('the answer', 'held.length === 2');
  await page.evaluate('held[1]()');
  await page.until('the third page', `${cells('changes', 3)}.startsWith('k11,')`);
  await page.evaluate(clickTwice('previous'));
  await page.until('the answer', 'held.length === 3');
  await page.evaluate('held[2]()');
  await page.until('the second page', `${cells('changes', 3)}.startsWith('k36,')`);
  isSound(page, program);
});

test('a page that the browser has kept is read again', async (t) => {
  const program = await start(t);
  const page = await open(program, '/audit');
  await makeKey(program, 'The app');
  const showAgain = `void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`;
  await page.evaluate(showAgain);
  await page.until('the news', `${cells('changes', 3)} === 'k2,k1'`);
  await page.evaluate(`fetch('/session', { method: 'DELETE' }).then(() => undefined)`);
  await page.evaluate(showAgain);
  await page.until('that nothing is left', `document.getElementById('open').hidden && ${cells('changes', 3)} === ''`);
  isSound(page, program);
});

test('figures that are old are grey', async (t) => {
  const program = await start(t);
  const page = await open(program, '/audit');
  const opacity = `Number(getComputedStyle(document.querySelector('.wide')).opacity)`;
  assert.equal(await page.evaluate(opacity), 1);
  await program.stop();
  await page.until('that they are old', `${text('state')} === 'no connection' && ${opacity} < 1`);
});

test('a wrong address of a list is told in the words of the server', async (t) => {
  const program = await start(t);
  const page = await browser.open(`${program.admin}/audit?key=17`, desk);
  await page.until('the sign-in', `!document.getElementById('sign-in').hidden`);
  await signIn(page, mouse, tokens.vera);
  await page.until('the fault', `${text('trouble')}.includes('key must be the id of a key')`);
  isSound(page, program, [400]);
});

const paths = [['audit', '/audit'], ['pets', '/pets'], ['orders', '/orders']];
for (const look of looks) {
  test(`nothing serious is in the way of a screen reader or of bad eyes (${look.name})`, async (t) => {
    const program = await start(t);
    for (const [name, path] of paths) {
      const page = await open(program, path, { look });
      await show(page, `${name}-${look.name}`);
      assert.deepEqual(await faults(page), [], name);
      assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${look.width}`), 'the page is wider than the screen');
      isSound(page, program);
    }
  });
}
