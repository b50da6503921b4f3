// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Usage: docs/make_console_picture. The console after a minute of clients of several plans, one of which does not wait
// when it is told to.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, sleep } from './browser.mjs';
import { Program, run } from './program.mjs';

const seconds = 75;
const directory = await mkdtemp(join(tmpdir(), 'petstore-picture-'));
const store = `lmdb:${join(directory, 'shop')}`;
const tokenFile = join(directory, 'token');
await writeFile(tokenFile, 'a-secret-that-is-only-for-this-picture', { mode: 0o600 });
const program = await Program.start('--store', store, '--admin-token-file', tokenFile, '--threads', '2');
const keys = [];
for (const [name, ...plan] of [['The app', 'enterprise', '--per-minute', '1000000', '--per-day', '100000000'],
  ['The web site', 'enterprise', '--per-minute', '600000', '--per-day', '100000000'], ['A partner', 'business'], ['A script', 'free']])
  keys.push(await run('keys', 'create', '--store', store, '--name', name, '--plan', ...plan));
await sleep(1000); // by then the running server knows them

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
const end = Date.now() + seconds * 1000;
const { hostname, port } = new URL(program.url);
function ask(key, method, path, body) {
  return new Promise((done) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const request = http.request({ agent, hostname, port, method, path: `/v1${path}`, headers }, (answer) => answer.resume().on('end', done));
    request.on('error', done);
    request.end(body);
  });
}
async function keepAsking(key, pause) {
  for (let i = 0; Date.now() < end; i += 1) {
    const kind = i % 20;
    if (kind === 0) await ask(key, 'POST', '/pets', JSON.stringify({ name: `Rosa ${i}`, categoryId: 1, status: 'available' }));
    else if (kind < 8) await ask(key, 'GET', `/pets/${1 + (i % 40)}`);
    else if (kind < 11) await ask(key, 'GET', '/store/orders');
    else await ask(key, 'GET', `/pets?status=available&limit=${1 + (i % 20)}`);
    // More and less, as clients do over a day.
    await sleep(pause * (1.3 + Math.sin(Date.now() / 9000)));
  }
}
const clients = [keepAsking(program.key, 90), keepAsking(keys[2], 60), keepAsking(keys[3], 40)];
for (let i = 0; i < 6; i += 1) clients.push(keepAsking(keys[i % 3 === 0 ? 1 : 0], 8));

const browser = await Browser.start();
const page = await browser.open(`${program.admin}/`, { width: 1440, height: 940 });
await Promise.all(clients.map((c) => Promise.race([c, sleep(seconds * 1000 - 5000)])));
await writeFile(process.argv[2], await page.screenshot());
await browser.stop();
await Promise.all(clients);
agent.destroy();
await program.stop();
await rm(directory, { recursive: true, force: true });
