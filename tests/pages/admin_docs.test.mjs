// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The documentation page of the administration API, on the admin listener.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faults } from './axe.mjs';
import { Browser } from './browser.mjs';
import { makeKey, startConsoleProgram, tokens } from './console_program.mjs';
import { looks, show } from './looks.mjs';

let browser;
let program;
before(async () => {
  program = await startConsoleProgram();
  await makeKey(program, 'the shelter');
  browser = await Browser.start();
});
after(async () => {
  await browser?.stop();
  assert.equal(await program?.stop(), 0);
});

async function open(look) {
  const page = await browser.open(`${program.admin}/docs`, look);
  await page.until('the contents', `!document.querySelector('nav').hidden`);
  return page;
}

const click = (page, selector) => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);

for (const look of looks) {
  test(`shows the operations, and nothing serious is in the way (${look.name})`, async () => {
    const page = await open(look);
    const shown = await page.evaluate('document.body.innerText');
    for (const expected of ['/keys', '/keys/{id}/reset-quota', '/audit']) assert.ok(shown.includes(expected), `${expected} is not on the page`);
    assert.deepEqual(await faults(page), []);
    assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${look.width}`), 'the page is wider than the screen');
    await show(page, `admin-docs-${look.name}`);
    assert.deepEqual(page.complaints, []);
    for (const url of page.requests)
      assert.ok(url.startsWith(`${program.admin}/`) || url.startsWith('data:'), `asked another host: ${url}`);
    await page.close();
  });
}

test('an operation is called with the token that was entered', async () => {
  const page = await open();
  await click(page, '.auth-wrapper > .authorize');
  await page.until('the field for the token', `document.querySelector('#auth-bearer-value')?.ariaLabel === 'admin token'`);
  await page.evaluate(`(() => {
    const field = document.querySelector('#auth-bearer-value');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(tokens.vera)});
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await click(page, '.modal-ux .authorize');
  await click(page, '.modal-ux .btn-done');
  const list = `document.querySelector('#operations-keys-listKeys')`;
  await page.evaluate(`void (location.hash = '#/keys/listKeys')`);
  await page.until('the operation', `${list}.querySelector('.execute') && ${list}.querySelector('[data-code]') !== null`);
  await page.evaluate(`${list}.querySelector('.execute').click()`);
  await page.until('the answer', `${list}.querySelector('.live-responses-table .response') !== null`);
  const answer = await page.evaluate(`${list}.querySelector('.live-responses-table .response').textContent`);
  assert.ok(answer.includes('the shelter'), answer);
  await page.close();
});
