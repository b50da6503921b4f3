// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The console as an operator sees it.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser, sleep, until } from './browser.mjs';
import { looks, show } from './looks.mjs';
import { Program } from './program.mjs';

const token = 'a-secret-of-the-operators-of-this-very-test';
let browser;
let directory;
let program;

async function startProgram(...more) {
  const file = join(directory, 'token');
  await writeFile(file, token);
  await chmod(file, 0o600);
  return Program.start('--admin-token-file', file, '--threads', '2', ...more);
}

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-console-'));
  program = await startProgram();
  browser = await Browser.start();
});
after(async () => {
  await browser?.stop();
  await program?.stop();
  await rm(directory, { recursive: true, force: true });
});

const text = (id) => `document.getElementById('${id}').textContent`;
const click = (page, id) => page.evaluate(`document.getElementById('${id}').click()`);
const enter = (page, id, value) => page.evaluate(`void (document.getElementById('${id}').value = ${JSON.stringify(value)})`);

async function openConsole(look, of = program) {
  const page = await browser.open(`${of.admin}/`, look);
  await page.until('the first figures', `${text('state')} === 'ready' && ${text('rate')} !== '–'`);
  return page;
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

test('a ban from the console takes effect, and so does its end', async () => {
  const other = await startProgram();
  const page = await openConsole({}, other);
  await enter(page, 'key-id', 'k1');
  await page.evaluate(`document.getElementById('key-form').requestSubmit()`);
  await page.until('the key', `${text('key-facts')}.includes('demo')`);
  await page.until('its quotas', `/minute: [0-9]+ of 1,000 used, whole again/.test(${text('key-quotas')})`);
  await show(page, 'console-key');

  const status = async () => [...(await other.use(1)).keys()][0];
  await enter(page, 'token', token);
  await click(page, 'ban');
  await page.until('the question', `document.getElementById('sure').open`);
  await page.evaluate(`document.querySelector('#sure [value=yes]').click()`);
  await page.until('the answer', `${text('outcome')} !== '' && ${text('outcome')} !== '…'`);
  await until('the ban', async () => (await status()) === 429);
  await page.until('the ban on the page', `${text('key-quotas')}.includes('banned')`);

  await click(page, 'unban');
  await until('the end of the ban', async () => (await status()) === 200);

  await page.until('the plans', `document.getElementById('plan').options.length >= 3`);
  await enter(page, 'plan', 'pro');
  await click(page, 'set-plan');
  await page.until('the new plan', `${text('key-quotas')}.includes('of 300 used')`);
  isSound(page, other);
  await page.close();
  assert.equal(await other.stop(), 0);
});

test('without the token nothing is done, and the page says so', async () => {
  const page = await openConsole();
  await enter(page, 'token', 'a wrong one');
  await click(page, 'drain');
  await page.evaluate(`document.querySelector('#sure [value=yes]').click()`);
  await page.until('the refusal', `${text('outcome')}.includes('token')`);
  assert.equal(program.process.exitCode, null);
  // The browser itself writes failed requests to its console.
  assert.equal(page.complaints.length, 1);
  assert.match(page.complaints[0], /401/);
  await page.close();
});

test('where actions are off the page tells how to turn them on', async () => {
  const bare = await Program.start();
  try {
    const page = await openConsole({}, bare);
    await page.until('the hint', `!document.getElementById('actions-off').hidden && ${text('actions-off')}.includes('--admin-token-file')`);
    assert.ok(await page.evaluate(`document.getElementById('actions-on').hidden`));
    isSound(page, bare);
    await page.close();
  } finally {
    await bare.stop();
  }
});

test('a drain from the console ends the process in order, and the page says that it is gone', async () => {
  const other = await startProgram('--drain-delay', '1s');
  const page = await openConsole({}, other);
  await enter(page, 'token', token);
  await click(page, 'drain');
  await page.evaluate(`document.querySelector('#sure [value=yes]').click()`);
  await page.until('the end', `${text('state')} === 'no connection'`);
  assert.equal(await other.ended, 0);
  await page.close();
});
