// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The documentation page as people see it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

// RapiDoc's elements are in a tree of its own.
const inside = 'document.querySelector("rapi-doc").shadowRoot';
const listing = `${inside}.querySelector(".expanded-endpoint-body[id='get-/pets']")`;
const shown = `${listing} !== null`;

const requests = `[...${inside}.querySelectorAll('api-request')]`;

function isSound(page) {
  assert.deepEqual(page.complaints, []);
  for (const url of page.requests)
    assert.ok(url.startsWith(`${program.origin}/`) || url.startsWith('data:'), `asked another host: ${url}`);
  for (const answer of page.answers) assert.ok(answer.status < 400 || answer.url.startsWith('data:'), `${answer.status} ${answer.url}`);
}

for (const look of looks) {
  test(`shows the operations, the plans and the errors (${look.name})`, async () => {
    const page = await browser.open(`${program.origin}/docs`, look);
    await page.until('the operations', shown);
    const text = await page.evaluate(`${inside}.textContent`);
    for (const expected of ['List animals', 'Place an order', 'Plans and limits', 'precondition_failed', 'Retry-After'])
      assert.ok(text.includes(expected), `${expected} is not on the page`);
    // Not innerWidth: a phone's browser makes that as wide as the page.
    assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${look.width}`), 'the page is wider than the screen');
    await page.until('the buttons that try', `${requests}.length >= 13 && ${requests}.every((r) => r.shadowRoot.querySelector('[part~=btn-try]'))`);
    assert.deepEqual(await page.evaluate(`${requests}.flatMap((r) => [...r.shadowRoot.querySelectorAll('[part=wrap-request-btn] button')])
      .filter((b) => b.getBoundingClientRect().left < 0 || b.getBoundingClientRect().right > ${look.width}).map((b) => b.textContent.trim())`), [],
      'buttons are beyond the edge of the screen');
    const theme = await page.evaluate('document.querySelector("rapi-doc").getAttribute("theme")');
    assert.equal(theme, look.dark ? 'dark' : 'light');
    await show(page, `docs-${look.name}`);
    isSound(page);
    await page.close();
  });
}

test('a request with a key is sent from the page and answered', async () => {
  const page = await browser.open(`${program.origin}/docs`);
  await page.until('the operations', shown);
  const field = `${inside}.querySelector('.api-key-input')`;
  await page.until('the field for the key', `!!${field}`);
  await page.evaluate(`void (${field}.value = ${JSON.stringify(program.key)})`);
  await page.evaluate(`${field}.parentElement.querySelector('button').click()`);
  const request = `${listing}.querySelector('api-request').shadowRoot`;
  const button = `${request}.querySelector('[part~=btn-try]')`;
  await page.until('the button that tries', `!!${button}`);
  await page.evaluate(`${button}.click()`);
  await page.until('the answer', `/Response Status:\\s*OK:200/i.test(${request}.textContent)`);
  assert.ok(page.answers.some((a) => a.url.startsWith(`${program.url}/pets`) && a.status === 200));
  await show(page, 'docs-tried');
  isSound(page);
  await page.close();
});

test('what is to be sent and what comes back are the examples of the document', async () => {
  const page = await browser.open(`${program.origin}/docs`);
  await page.until('the operations', shown);
  const adding = `${inside}.querySelector(".expanded-endpoint-body[id='post-/pets']")`;
  const body = `${adding}.querySelector('api-request').shadowRoot.querySelector('textarea.request-body-param-user-input')`;
  await page.until('the body', `!!${body}`);
  assert.deepEqual(JSON.parse(await page.evaluate(`${body}.value`)), { name: 'Rosa', categoryId: 1, status: 'available' });
  const answered = `${listing}.querySelector('api-response').shadowRoot.querySelector('json-tree').shadowRoot.textContent`;
  await page.until('a list of one', `${answered}.match(/\\[[^]*{[^]*"id":\\s*7,/) !== null`);
  await page.close();
});

test('a page that is loaded again is not sent again', async () => {
  const first = await fetch(`${program.origin}/docs/rapidoc.js`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(first.headers.get('content-encoding'), 'gzip');
  await first.arrayBuffer();
  const again = await fetch(`${program.origin}/docs/rapidoc.js`, {
    headers: { 'accept-encoding': 'gzip', 'if-none-match': first.headers.get('etag') },
  });
  assert.equal(again.status, 304);
});
