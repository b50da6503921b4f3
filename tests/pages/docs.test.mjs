// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The documentation page as people see it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faults } from './axe.mjs';
import { Browser } from './browser.mjs';
import { Program } from './program.mjs';
import { looks, show } from './looks.mjs';

let browser;
let program;
before(async () => {
  program = await Program.start();
  browser = await Browser.start();
});
after(async () => {
  await browser?.stop();
  assert.equal(await program?.stop(), 0);
});

const phone = looks.find(({ width, dark }) => width < 600 && !dark);
const operation = (id) => `document.querySelector('#operations-${id}')`;
const answer = (id) => `${operation(id)}.querySelector('.live-responses-table .response')`;
const text = (element) => `${element}.textContent`;
const click = (page, element) => page.evaluate(`${element}.click()`);
const color = (page, element) => page.evaluate(`getComputedStyle(${element}).color`);

async function open(look, address = '') {
  const page = await browser.open(`${program.origin}/docs${address}`, look);
  await page.until('the contents', `!document.querySelector('nav').hidden`);
  return page;
}

async function unfold(page, id) {
  await page.evaluate(`void (location.hash = '#/${id.replace('-', '/')}')`);
  await page.until('the operation', `${operation(id)}.querySelector('.execute') && ${operation(id)}.querySelector('[data-code]') !== null`);
}

async function execute(page, id) {
  await click(page, `${operation(id)}.querySelector('.execute')`);
  await page.until('the answer', `${operation(id)}.querySelector('.live-responses-table') !== null`);
}

// As a person types it: the page follows the events of its fields.
const type = (page, field, value) => page.evaluate(`(() => {
  const field = ${field};
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(value)});
  field.dispatchEvent(new Event('input', { bubbles: true }));
})()`);

async function authorize(page) {
  await click(page, `document.querySelector('.auth-wrapper > .authorize')`);
  await page.until('the field for the key', `document.querySelector('#auth-bearer-value') !== null`);
}

async function enterKey(page) {
  await authorize(page);
  await type(page, `document.querySelector('#auth-bearer-value')`, program.key);
  await click(page, `document.querySelector('.modal-ux .authorize')`);
  await click(page, `document.querySelector('.modal-ux .btn-done')`);
}

// What the browser itself writes of a refused request is no complaint where one was expected.
function isSound(page, { refused = 0 } = {}) {
  assert.equal(page.complaints.filter((complaint) => complaint.includes('status of 401')).length, refused);
  assert.deepEqual(page.complaints.filter((complaint) => !complaint.includes('status of 401')), []);
  for (const url of page.requests)
    assert.ok(url.startsWith(`${program.origin}/`) || url.startsWith('data:'), `asked another host: ${url}`);
}

// Not innerWidth: a phone's browser makes that as wide as the page.
async function fits(page, look) {
  assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${look.width}`), 'the page is wider than the screen');
}

for (const look of looks) {
  test(`shows the operations, the plans and the errors (${look.name})`, async () => {
    const page = await open(look);
    const shown = await page.evaluate('document.body.innerText');
    for (const expected of ['List animals', 'Place an order', 'Plans and limits', 'precondition_failed', 'Retry-After'])
      assert.ok(shown.includes(expected), `${expected} is not on the page`);
    await fits(page, look);
    await show(page, `docs-${look.name}`);
    isSound(page);
    await page.close();
  });

  test(`nothing serious is in the way of a screen reader or of bad eyes (${look.name})`, async () => {
    const page = await open(look);
    assert.deepEqual(await faults(page), []);
    await authorize(page);
    assert.deepEqual(await faults(page), [], 'in the dialog');
    await click(page, `document.querySelector('.modal-ux .btn-done')`);
    for (const id of ['pets-createPet', 'orders-listOrders']) {
      await unfold(page, id);
      await execute(page, id);
    }
    await click(page, `[...${operation('pets-createPet')}.querySelectorAll('.tablinks')].find((tab) => tab.textContent === 'Schema')`);
    await page.evaluate(`${operation('pets-createPet')}.querySelectorAll('details').forEach((fields) => { fields.open = true; })`);
    assert.deepEqual(await faults(page), [], 'in the operations');
    await fits(page, look);
    await show(page, `docs-operations-${look.name}`);
    isSound(page, { refused: 2 });
    await page.close();
  });
}

test('every field has a name', async () => {
  const page = await open();
  for (const id of ['pets-listPets', 'pets-createPet', 'pets-updatePet', 'orders-listOrders']) await unfold(page, id);
  const fields = `[...document.querySelectorAll('input, select, textarea')]`;
  assert.ok(await page.evaluate(`${fields}.length`) > 20);
  assert.deepEqual(await page.evaluate(`${fields}.filter((field) => !field.ariaLabel && field.labels.length === 0).map((field) => field.outerHTML)`), []);
  await page.close();
});

test('the contents lead to an operation on a phone, and are then folded', async () => {
  const page = await open(phone);
  const isShown = `document.querySelector('#contents').getBoundingClientRect().height > 0`;
  assert.equal(await page.evaluate(isShown), false);
  assert.ok(await page.evaluate('document.documentElement.scrollHeight < 6000'), 'the folded page is long');
  await click(page, `document.querySelector('nav button')`);
  assert.equal(await page.evaluate(isShown), true);
  await show(page, 'docs-contents');
  await click(page, `[...document.querySelectorAll('#contents a')].find((link) => link.textContent === 'Place an order')`);
  const { height } = phone;
  const top = `${operation('orders-createOrder')}.getBoundingClientRect().top`;
  const bar = `document.querySelector('nav').getBoundingClientRect().bottom`;
  await page.until('the operation in view', `${operation('orders-createOrder')}.querySelector('.execute') && ${top} >= ${bar} && ${top} < ${height / 4}`);
  assert.equal(await page.evaluate(isShown), false);
  await page.until('the focus there', `document.activeElement === ${operation('orders-createOrder')}`);
  await fits(page, phone);
  isSound(page);
  await page.close();
});

test('an address with an operation opens it', async () => {
  const page = await open({}, '#/pets/createPet');
  await page.until('the operation', `${operation('pets-createPet')}.querySelector('.execute') !== null`);
  await page.close();
});

test('the colours change with the system while the page is open', async () => {
  const page = await open();
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const day = await background();
  await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
  await page.until('the night', `document.documentElement.classList.contains('dark-mode')`);
  assert.notEqual(await background(), day);
  await page.close();
});

test('a request with the key is sent from the page, and its status and quotas are shown', async () => {
  const page = await open();
  await enterKey(page);
  await unfold(page, 'pets-listPets');
  await execute(page, 'pets-listPets');
  const shown = await page.evaluate(text(answer('pets-listPets')));
  assert.match(shown, /^200/);
  for (const expected of ['x-ratelimit-limit: 1000', 'x-ratelimit-remaining: ', 'x-ratelimit-reset: ', 'ratelimit-policy: '])
    assert.ok(shown.includes(expected), `${expected} is not shown`);
  assert.ok(page.answers.some((a) => a.url.startsWith(`${program.url}/pets`) && a.status === 200));
  await page.evaluate(`${answer('pets-listPets')}.scrollIntoView({ block: 'end' })`);
  await show(page, 'docs-tried');
  isSound(page);
  await page.close();
});

test('an error has another colour than a success, in the description and in an answer', async () => {
  const page = await open();
  await unfold(page, 'pets-listPets');
  const described = (code) => `${operation('pets-listPets')}.querySelector('[data-code="${code}"] .response-col_status')`;
  const good = await color(page, described(200));
  const bad = await color(page, described(401));
  assert.notEqual(good, bad);
  assert.equal(await color(page, described(429)), bad);
  const status = `${answer('pets-listPets')}.querySelector('.response-col_status')`;
  await execute(page, 'pets-listPets');
  assert.match(await page.evaluate(text(status)), /^401/);
  assert.equal(await color(page, status), bad);
  await enterKey(page);
  await execute(page, 'pets-listPets');
  await page.until('the other answer', `${text(status)}.startsWith('200')`);
  assert.equal(await color(page, status), good);
  isSound(page, { refused: 1 });
  await page.close();
});

test('what is to be sent and what comes back are the examples of the document', async () => {
  const page = await open();
  await unfold(page, 'pets-createPet');
  const body = `${operation('pets-createPet')}.querySelector('textarea')`;
  assert.deepEqual(JSON.parse(await page.evaluate(`${body}.value`)), { name: 'Rosa', categoryId: 1, status: 'available' });
  await unfold(page, 'pets-listPets');
  const example = `${operation('pets-listPets')}.querySelector('[data-code="200"] .example')`;
  assert.equal(JSON.parse(await page.evaluate(text(example)))[0].id, 7);
  await page.close();
});

test('the policy of the page allows nothing inline and no other host', async () => {
  const page = await fetch(`${program.origin}/docs`);
  const policy = page.headers.get('content-security-policy');
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
});

test('a page that is loaded again is not sent again', async () => {
  const first = await fetch(`${program.origin}/docs/swagger-ui.js`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(first.headers.get('content-encoding'), 'gzip');
  await first.arrayBuffer();
  const again = await fetch(`${program.origin}/docs/swagger-ui.js`, {
    headers: { 'accept-encoding': 'gzip', 'if-none-match': first.headers.get('etag') },
  });
  assert.equal(again.status, 304);
});
