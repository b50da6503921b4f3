// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Prints the table of docs/choices.md: viewers of OpenAPI documents with the document of the program, in Chromium, and the
// page of the program itself.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { findings, isSerious } from '../axe.mjs';
import { Browser, sleep } from '../browser.mjs';
import { looks } from '../looks.mjs';
import { Program } from '../program.mjs';
import { viewers } from './viewers.mjs';

const policy = (styles) => `default-src 'none'; script-src 'self'; style-src ${styles}; img-src data:; connect-src 'self'; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const strict = policy(`'self'`);
const withInlineStyles = policy(`'self' 'unsafe-inline'`);

const program = await Program.start();
const browser = await Browser.start();

// The viewer's page and files under /docs, and the document of the program.
async function serve({ package: name, kind = 'defer', scripts, styles = [], page, start = '' }, policyOfPage) {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pet Store</title><link rel="icon" href="data:,">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    ${styles.map((file) => `<link rel="stylesheet" href="/docs/${file}">`).join('')}</head><body>${page}
    ${scripts.map((file) => `<script ${kind} src="/docs/${file}"></script>`).join('')}
    <script defer src="/docs/start.js"></script></body></html>`;
  const document = await (await fetch(`${program.url}/openapi.json`)).text();
  const server = http.createServer(async ({ url }, response) => {
    const answer = (type, body) => response.setHeader('content-type', type).setHeader('content-security-policy', policyOfPage).end(body);
    if (url === '/docs') answer('text/html', html);
    else if (url === '/v1/openapi.json') answer('application/json', document);
    else if (url === '/docs/start.js') answer('text/javascript', start);
    else if ([...scripts, ...styles].includes(url.slice('/docs/'.length)))
      answer(url.endsWith('.css') ? 'text/css' : 'text/javascript', await readFile(`node_modules/${name}/${url.slice('/docs/'.length)}`));
    else response.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => { server.close(); server.closeAllConnections(); } };
}

// Until a second has passed in which the page made no element.
async function settle(page) {
  for (let before, now; now === undefined || now !== before; before = now, now = await page.evaluate(`document.querySelectorAll('*').length`))
    await sleep(1000);
}

// What a look at the page finds. `dark` is whether it has a dark background.
async function look(origin, { ready, menu }, how) {
  const page = await browser.open(`${origin}/docs`, how);
  const shown = await page.until('the operations', ready, 20_000).then(() => true, () => false);
  await settle(page);
  const found = await findings(page);
  const seen = {
    shown,
    serious: found.filter(isSerious).length,
    all: found.length,
    dark: await page.evaluate(`(() => {
      for (let at = document.elementFromPoint(innerWidth - 5, innerHeight / 2); at; at = at.parentElement ?? at.getRootNode().host) {
        const [red, green, blue, opacity = 1] = getComputedStyle(at).backgroundColor.match(/[0-9.]+/g).map(Number);
        if (opacity > 0) return red + green + blue < 384;
      }
      return false;
    })()`),
    height: await page.evaluate('document.documentElement.scrollHeight'),
    menu: Boolean(menu) && await page.evaluate(`[...document.querySelectorAll(${JSON.stringify(menu)})].some((button) => {
      const { top, bottom, height } = button.getBoundingClientRect();
      return height > 0 && top >= 0 && bottom <= innerHeight;
    })`),
    hosts: [...new Set(page.requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:')).map((url) => new URL(url).host))],
    violations: page.complaints.filter((complaint) => complaint.includes('Content Security Policy')).length,
  };
  await page.close();
  return seen;
}

async function seenEverywhere(origin, viewer) {
  const seen = [];
  for (const how of looks) seen.push(await look(origin, viewer, how));
  return seen;
}

const kib = (bytes) => Math.round(bytes / 1024).toLocaleString('en');

// Of the package: its version, its license, whether the licenses of its parts are in it, and when it was released.
async function described({ package: name, scripts }) {
  const { version, license } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8'));
  const released = JSON.parse(execFileSync('npm', ['view', `${name}@${version}`, 'time', '--json'], { encoding: 'utf8' }))[version];
  const hasLicense = (await readdir(`node_modules/${name}`)).some((file) => /^license/i.test(file));
  const hasParts = scripts.every((file) => existsSync(`node_modules/${name}/${file}.LICENSE.txt`));
  return { version, released: released.slice(0, 10), license: `${license}${hasLicense ? '' : ', no text'}${hasParts ? ', parts' : ''}` };
}

async function row(viewer) {
  const served = await serve(viewer, withInlineStyles);
  const seen = await seenEverywhere(served.origin, viewer);
  served.close();
  const strictly = await serve(viewer, strict);
  const { violations } = await look(strictly.origin, viewer, looks[0]);
  strictly.close();
  const files = await Promise.all([...viewer.scripts, ...viewer.styles ?? []].map((file) => readFile(`node_modules/${viewer.package}/${file}`)));
  const { version, released, license } = await described(viewer);
  return cells(`${viewer.name} ${version}`, seen, files, violations === 0, viewer.tries, license, released);
}

async function ownRow() {
  const own = { ready: `!document.querySelector('nav').hidden`, menu: 'nav button' };
  const seen = await seenEverywhere(program.origin, own);
  const files = await Promise.all(['swagger-ui.js', 'swagger-ui.css', 'docs.js', 'docs.css'].map(async (file) =>
    Buffer.from(await (await fetch(`${program.origin}/docs/${file}`)).arrayBuffer())));
  return cells('`/docs`', seen, files, true, true, '', '');
}

function cells(name, seen, files, isStrict, tries, license, released) {
  const bytes = files.reduce((sum, file) => sum + file.length, 0);
  const compressed = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
  const hosts = [...new Set(seen.flatMap((one) => one.hosts))];
  const onPhone = seen[2];
  return [name, seen.map(({ serious }) => serious).join(' '), seen.map(({ all }) => all).join(' '),
    `${onPhone.menu ? 'yes' : 'no'}, ${onPhone.height.toLocaleString('en')}`, seen[1].dark ? 'yes' : 'no', `${kib(bytes)}, ${kib(compressed)}`,
    isStrict ? 'yes' : 'no', hosts.join(' ') || 'none', tries ? 'yes' : 'no', license, released, seen.every(({ shown }) => shown) ? '' : 'NOT SHOWN'];
}

const print = (columns) => console.log(`| ${columns.slice(0, 11).join(' | ')} |${columns[11] ? ` ${columns[11]}` : ''}`);
print(['', 'serious', 'all', 'phone: menu, px', 'dark', 'KiB, gzip', 'nothing inline', 'other hosts', 'sends requests', 'license', 'released']);
print(Array(11).fill('---'));
for (const viewer of viewers) print(await row(viewer));
print(await ownRow());
await browser.stop();
await program.stop();
