// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A client generated from the document of the administration API takes a key through its whole life, on each kind of
// store that keeps it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './out/administration.js';
import { Petstore, tokens } from './program.js';

type Key = components['schemas']['Key'];

const database = process.env['POSTGRESQL'];
const stores = [
  { kind: 'lmdb', uri: undefined, skip: false },
  { kind: 'postgres', uri: database, skip: database === undefined && 'no PostgreSQL server is installed' },
];

for (const { kind, uri, skip } of stores) {
  test(`a typed client takes a key through its whole life on ${kind}`, { skip, timeout: 120_000 }, async () => {
    const petstore = Petstore.create(uri);
    try {
      await takeThroughItsLife(petstore);
    } finally {
      assert.equal(await petstore.remove(), 0, 'the service ends well');
    }
  });
}

const administer = (petstore: Petstore, token: string) =>
  createClient<paths>({ baseUrl: petstore.administration(), headers: { Authorization: `Bearer ${token}` } });

async function takeThroughItsLife(petstore: Petstore): Promise<void> {
  let shop = await petstore.serve();
  let rosa = administer(petstore, tokens.rosa);
  const vera = administer(petstore, tokens.vera);

  const forbidden = await vera.POST('/keys', { body: { name: 'The app', plan: 'free' } });
  assert.equal(forbidden.error?.code, 'forbidden');
  const made = done(await rosa.POST('/keys', { body: { name: 'The app', plan: 'free' } }), 201);
  const { id, key } = made;
  assert.ok(key !== undefined);
  const path = { id };
  await untilAsked(shop, key, 200);

  const listed = done(await vera.GET('/keys', { params: { query: { name: 'the APP', state: 'active' } } }));
  assert.deepEqual(listed.map((one) => one.id), [id]);
  const shown = await vera.GET('/keys/{id}', { params: { path } });
  assert.equal(done(shown).quota.minute?.quota, 60);
  const seen = shown.response.headers.get('ETag');
  assert.ok(seen);

  const change = { params: { path, header: { 'If-Match': seen } }, body: { plan: 'pro', perMinute: 7 } };
  assert.deepEqual(numbersOf(done(await rosa.PATCH('/keys/{id}', change))), ['pro', 7, null]);
  assert.equal((await rosa.PATCH('/keys/{id}', change)).error?.code, 'precondition_failed');

  const rotated = done(await rosa.POST('/keys/{id}/rotate', { params: { path }, body: { grace: 3600 } }), 201);
  assert.equal(rotated.identity, made.identity);
  assert.ok(rotated.key !== undefined && rotated.key !== key);
  await untilAsked(shop, rotated.key, 200);
  await untilAsked(shop, key, 200);

  assert.equal(done(await rosa.PUT('/keys/{id}/ban', { params: { path }, body: { seconds: 600 } })).state, 'banned');
  await untilAsked(shop, rotated.key, 429);
  assert.equal(done(await rosa.DELETE('/keys/{id}/ban', { params: { path } })).state, 'active');
  await untilAsked(shop, key, 200);
  done(await rosa.POST('/keys/{id}/reset-quota', { params: { path } }));
  await until(async () => done(await rosa.GET('/keys/{id}', { params: { path } })).quota.minute?.used === 0);

  // A service that stops stores what its keys were used for.
  assert.equal(await petstore.stop(), 0);
  shop = await petstore.serve();
  rosa = administer(petstore, tokens.rosa);
  const days = done(await rosa.GET('/keys/{id}/usage', { params: { path } }));
  assert.ok(Array.isArray(days)); // text, if it were CSV
  assert.equal(days.length, 30);
  assert.ok(days.reduce((all, { admitted }) => all + admitted, 0) >= 3);
  assert.notEqual(done(await rosa.GET('/keys/{id}', { params: { path } })).lastUsedAt, null);

  for (let i = 0; i < 2; i += 1) {
    assert.equal(done(await rosa.POST('/keys/{id}/revoke', { params: { path } })).state, 'revoked');
  }
  await untilAsked(shop, key, 401);
  const log = done(await rosa.GET('/audit', { params: { query: { key: id } } }));
  assert.deepEqual([...new Set(log.map(({ actor }) => actor))], ['rosa']);
  const actions = ['create', 'update', 'rotate', 'ban', 'unban', 'reset-quota', 'revoke'];
  assert.deepEqual(log.map(({ action }) => action), actions.reverse());
}

const numbersOf = ({ plan, perMinute, perDay }: Key) => [plan, perMinute, perDay];

function done<Body>(answer: { data?: Body; error?: unknown; response: Response }, status = 200): Body {
  assert.equal(answer.response.status, status, JSON.stringify(answer.error));
  assert.ok(answer.data !== undefined);
  return answer.data;
}

// The service follows a change within a second.
async function until(happened: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await happened())) {
    assert.ok(Date.now() < end, 'it does not happen');
    await sleep(50);
  }
}

const untilAsked = (shop: string, key: string, status: number) =>
  until(async () => (await fetch(`${shop}/pets`, { headers: { Authorization: `Bearer ${key}` } })).status === status);
