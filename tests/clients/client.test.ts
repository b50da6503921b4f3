// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A client generated from the served document adopts an animal: once talking to the service itself, once through a proxy
// that holds every request and every answer against the document.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { components, paths } from './out/schema.js';
import { Petstore, startValidatingProxy } from './program.js';

type Failure = components['schemas']['Error'];
type Shop = Client<paths>;

const ways = [
  { name: 'directly', throughProxy: false },
  { name: 'through a validating proxy', throughProxy: true },
];

for (const { name, throughProxy } of ways) {
  describe(`a typed client, ${name}`, { timeout: 180_000 }, () => {
    let petstore: Petstore;
    let proxy: Awaited<ReturnType<typeof startValidatingProxy>> | undefined;
    let address: string;
    let smallKey: string;
    let shop: Shop;

    before(async () => {
      petstore = Petstore.create();
      const key = petstore.createKey('business');
      smallKey = petstore.createKey('free');
      address = await petstore.serve();
      if (throughProxy) {
        proxy = await startValidatingProxy('out/openapi.json', address);
        address = proxy.announced;
      }
      shop = openShop(address, key);
    });

    after(async () => {
      await proxy?.stop();
      assert.equal(await petstore.remove(), 0, 'the service ends well');
    });

    test('adopts_an_animal_from_the_first_look_to_sold', async () => {
      const category = created(await shop.POST('/categories', { body: { name: 'Cats' } }));
      const pet = await addPet(shop, 'Rosa', category.id);
      assert.deepEqual(await petsOf(shop, category.id, 'available'), [pet]);

      const order = created(await shop.POST('/store/orders', { body: { petId: pet.id } }));
      assert.equal(order.status, 'placed');
      assert.deepEqual(await petsOf(shop, category.id, 'pending'), [{ ...pet, status: 'pending' }]);

      for (const status of ['approved', 'delivered'] as const) {
        const path = { orderId: order.id };
        const moved = await shop.PATCH('/store/orders/{orderId}', { params: { path }, body: { status } });
        assert.equal(moved.response.status, 200);
        assert.equal(moved.data?.status, status);
      }

      assert.deepEqual(await petsOf(shop, category.id, 'available'), []);
      assert.deepEqual(await petsOf(shop, category.id, 'sold'), [{ ...pet, status: 'sold' }]);
      const orders = await shop.GET('/store/orders', { params: { query: { petId: pet.id } } });
      assert.deepEqual(orders.data?.map(({ id, status }) => ({ id, status })), [{ id: order.id, status: 'delivered' }]);
    });

    test('walks_all_pages_by_their_next_links', async () => {
      const category = created(await shop.POST('/categories', { body: { name: 'Dogs' } }));
      const added: number[] = [];
      for (const dog of ['Ada', 'Bo', 'Cleo', 'Dot', 'Emil']) added.push((await addPet(shop, dog, category.id)).id);

      const pages: number[][] = [];
      let cursor: string | undefined;
      do {
        const filter = { limit: 2, categoryId: category.id };
        const query = cursor === undefined ? filter : { ...filter, cursor };
        const { data, response } = await shop.GET('/pets', { params: { query } });
        assert.ok(data);
        pages.push(data.map(({ id }) => id));
        cursor = nextCursor(response);
      } while (cursor !== undefined && pages.length < 10);
      assert.deepEqual(pages, [added.slice(0, 2), added.slice(2, 4), added.slice(4)]);
    });

    test('adds_one_animal_however_often_it_retries', async () => {
      const header = { 'Idempotency-Key': 'a-retry-of-mine' };
      const body = { name: 'Once', categoryId: 7 };
      const first = await shop.POST('/pets', { params: { header }, body });
      const second = await shop.POST('/pets', { params: { header }, body });
      assert.deepEqual(created(second), created(first));
      assert.equal(first.response.headers.get('Idempotency-Replayed'), null);
      assert.equal(second.response.headers.get('Idempotency-Replayed'), 'true');

      const another = await shop.POST('/pets', { params: { header }, body: { ...body, name: 'Twice' } });
      refused(another, 409, 'conflict');
    });

    test('changes_only_what_it_has_seen', async () => {
      const pet = await addPet(shop, 'Milo', 8);
      const path = { petId: pet.id };
      const seen = (await shop.GET('/pets/{petId}', { params: { path } })).response.headers.get('ETag');
      assert.ok(seen);

      const header = { 'If-Match': seen };
      const changed = await shop.PATCH('/pets/{petId}', { params: { path, header }, body: { name: 'Otis' } });
      assert.deepEqual(changed.data, { ...pet, name: 'Otis' });
      const late = await shop.PATCH('/pets/{petId}', { params: { path, header }, body: { name: 'Anton' } });
      refused(late, 412, 'precondition_failed');
      assert.deepEqual(await petsOf(shop, 8, 'available'), [{ ...pet, name: 'Otis' }]);
    });

    test('removes_an_animal', async () => {
      const pet = await addPet(shop, 'Gone', 9);
      const removed = await shop.DELETE('/pets/{petId}', { params: { path: { petId: pet.id } } });
      assert.equal(removed.response.status, 204);
      assert.deepEqual(await petsOf(shop, 9, 'available'), []);
    });

    test('learns_that_getting_one_animal_ends', async () => {
      const pet = await addPet(shop, 'Old', 10);
      const { data, response } = await shop.GET('/pets/{petId}', { params: { path: { petId: pet.id } } });
      assert.deepEqual(data, pet);
      assert.equal(response.headers.get('Deprecation'), '@1780272000');
      assert.equal(response.headers.get('Sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT');
      assert.equal(response.headers.get('Link'), '</v1/pets?status=available>; rel="successor-version"');
    });

    test('asks_for_its_quota_free_of_charge', async () => {
      const before = await shop.GET('/quota');
      await shop.GET('/pets');
      const after = await shop.GET('/quota');
      assert.equal(before.data?.plan, 'business');
      assert.equal(before.data?.minute?.quota, 1000);
      assert.ok(before.data?.day && after.data?.day);
      assert.equal(after.data.day.used, before.data.day.used + 1);
    });

    test('gets_documented_errors', async () => {
      const nowhere = { petId: 999_999 };
      refused(await openShop(address, 'not-a-key').GET('/pets'), 401, 'unauthorized');
      refused(await shop.GET('/pets/{petId}', { params: { path: nowhere } }), 404, 'not_found');
      refused(await shop.POST('/store/orders', { body: nowhere }), 404, 'not_found');
      refused(await shop.GET('/pets', { params: { query: { cursor: 'invented' } } }), 400, 'invalid_request');

      const pet = await addPet(shop, 'Wanted', 11);
      created(await shop.POST('/store/orders', { body: { petId: pet.id } }));
      refused(await shop.POST('/store/orders', { body: { petId: pet.id } }), 409, 'conflict');
      refused(await shop.DELETE('/pets/{petId}', { params: { path: { petId: pet.id } } }), 409, 'conflict');
    });

    // The proxy would answer these itself, since they break the document.
    if (!throughProxy) {
      test('is_told_every_fault_of_a_request_that_breaks_the_document', async () => {
        refused(await createWatchedClient(address, {}).GET('/pets'), 401, 'unauthorized');
        refused(await shop.GET('/pets', { params: { query: { limit: 101 } } }), 400, 'invalid_request');
        const body = { name: ' ', categoryId: 1.5, status: 'lost' } as unknown as components['schemas']['NewPet'];
        const { message } = refused(await shop.POST('/pets', { body }), 400, 'invalid_request');
        for (const member of ['name', 'categoryId', 'status']) assert.ok(message.includes(member), message);
      });
    }

    test('passes_after_the_wait_that_a_429_announces', async () => {
      const hurried = openShop(address, smallKey);
      let answer = await hurried.GET('/pets');
      for (let sent = 1; answer.response.status === 200 && sent < 200; ++sent) answer = await hurried.GET('/pets');
      refused(answer, 429, 'rate_limited');
      assert.equal(answer.response.headers.get('X-RateLimit-Remaining'), '0');

      const seconds = Number(answer.response.headers.get('Retry-After'));
      assert.ok(seconds >= 1 && seconds <= 5, `Retry-After: ${seconds}`);
      await sleep(seconds * 1000);
      assert.equal((await hurried.GET('/pets')).response.status, 200);
    });
  });
}

function openShop(baseUrl: string, key: string): Shop {
  return createWatchedClient(baseUrl, { Authorization: `Bearer ${key}` });
}

function createWatchedClient(baseUrl: string, headers: Record<string, string>): Shop {
  const client = createClient<paths>({ baseUrl, headers });
  client.use(watch);
  return client;
}

// What holds for every answer, whatever the operation.
const watch: Middleware = {
  onResponse({ request, response }) {
    const what = `${request.method} ${request.url}: ${response.status}`;
    assert.equal(response.headers.get('sl-violations'), null, what); // where Prism puts a lesser violation
    const resource = response.headers.get('X-RateLimit-Resource');
    assert.ok(resource === 'minute' || resource === 'day', what);
    for (const field of ['Limit', 'Remaining', 'Reset']) {
      assert.match(response.headers.get(`X-RateLimit-${field}`) ?? '', /^\d+$/, what);
    }
    assert.ok(response.headers.get('X-Request-Id'), what);
  },
};

function created<Body>(answer: { data?: Body; error?: unknown; response: Response }): Body {
  assert.equal(answer.response.status, 201, JSON.stringify(answer.error));
  assert.ok(answer.data !== undefined);
  return answer.data;
}

function refused(answer: { error?: Failure; response: Response }, status: number, code: string): Failure {
  assert.equal(answer.response.status, status, JSON.stringify(answer.error));
  assert.ok(answer.error);
  const { code: codeSent, status: statusSent, message } = answer.error;
  assert.deepEqual({ codeSent, statusSent }, { codeSent: code, statusSent: status });
  assert.notEqual(message, '');
  return answer.error;
}

async function addPet(shop: Shop, name: string, categoryId: number): Promise<components['schemas']['Pet']> {
  const answer = await shop.POST('/pets', { body: { name, categoryId, status: 'available' } });
  const pet = created(answer);
  assert.equal(answer.response.headers.get('Location'), `/v1/pets/${pet.id}`);
  return pet;
}

async function petsOf(shop: Shop, categoryId: number, status: components['schemas']['PetStatus']) {
  const { data, response } = await shop.GET('/pets', { params: { query: { categoryId, status } } });
  assert.equal(response.status, 200);
  return data;
}

/** The cursor in the link to the next page, if there is one. */
function nextCursor(response: Response): string | undefined {
  const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  return next === undefined ? undefined : (new URL(next, 'http://any.example').searchParams.get('cursor') ?? undefined);
}
