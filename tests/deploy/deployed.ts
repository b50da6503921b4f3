// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What the files in deploy/ are held against: the built program's own word, and the files as their tools read them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const deploy = join(checkout, 'deploy');

export const read = (path: string): string => readFileSync(path, 'utf8');

/** The documents of a YAML file. A key given twice, or a warning, is a fault. */
export function readYaml(text: string): unknown[] {
  return parseAllDocuments(text, { version: '1.2', merge: true, strict: true, uniqueKeys: true }).map((document) => {
    assert.deepEqual([...document.errors, ...document.warnings].map(String), []);
    return document.toJS() as unknown;
  });
}

/** Every file below a directory of deploy/, but for secrets. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: false }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('secrets') ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

export const nameOf = (path: string): string => relative(checkout, path);

const temporary = mkdtempSync(join(tmpdir(), 'petstore-deploy-'));
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));

/** A directory that goes with the process. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(temporary, 'a'));
}

const program = process.env['PETSTORE'];
assert(program !== undefined, 'PETSTORE names the built program');

/** Runs the built program, with no other variables than these; its standard output. Throws when it fails. */
export function petstore(arguments_: string[], variables: Record<string, string> = {}): string {
  return execFileSync(program as string, arguments_, {
    encoding: 'utf8',
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Settings in force, by the names of their flags: as `config show` prints them, once `config check` is content. */
export class Settings {
  private constructor(private readonly values: Record<string, { value: string; source: string }>) {}

  static of(toml: string, variables: Record<string, string> = {}): Settings {
    const file = join(temporaryDirectory(), 'petstore.toml');
    writeFileSync(file, toml);
    petstore(['config', 'check', '--config', file], variables);
    return new Settings(JSON.parse(petstore(['config', 'show', '--json', '--config', file], variables)));
  }

  text(name: string): string {
    const setting = this.values[name];
    assert(setting !== undefined, `there is no setting ${name}`);
    return setting.value;
  }

  seconds(name: string): number {
    const [, amount, unit] = /^(\d+)(ms|s|m|h)$/.exec(this.text(name)) ?? [];
    assert(amount !== undefined && unit !== undefined, `${name} is no duration: ${this.text(name)}`);
    return Number(amount) * { ms: 0.001, s: 1, m: 60, h: 3600 }[unit as 'ms' | 's' | 'm' | 'h'];
  }

  bytes(name: string): number {
    return bytesOf(this.text(name).replace(/B$/, ''));
  }

  port(name: string): number {
    return Number(/:(\d+)$/.exec(this.text(name))?.[1]);
  }

  /**
   * With a head and a body in each connection, or answers that its client does not read, their growing buffers, what the
   * kernel holds of the answers, and what the process has besides.
   */
  get memoryBytesMax(): number {
    const arriving = this.bytes('header-limit') + this.bytes('body-limit');
    const unread = bytesOf('64Ki') + bytesOf('106Ki');
    const perConnection = Math.max(arriving, unread) + bytesOf('16Ki') + bytesOf('64Ki');
    return bytesOf('64Mi') + Number(this.text('max-connections')) * perConnection;
  }

  /** From SIGTERM to the end of the process at the latest: a second is for the admin listener. */
  get drainSeconds(): number {
    return this.seconds('drain-delay') + this.seconds('drain-timeout') + 1;
  }
}

/** `768Mi` of Kubernetes, `768M` of Docker, which means the same. */
export function bytesOf(text: string): number {
  const [, amount, unit] = /^(\d+)([KMG]?)i?$/.exec(text) ?? [];
  assert(amount !== undefined && unit !== undefined, `${text} is no number of bytes`);
  return Number(amount) * 1024 ** ['', 'K', 'M', 'G'].indexOf(unit);
}

/** Every variable that is a setting, from the program's own table. */
export function settingVariables(): Set<string> {
  const variables = [...petstore(['config', 'table']).matchAll(/`(PETSTORE_[A-Z_]+)`/g)].map(
    ([, name]) => name as string,
  );
  assert(variables.length > 20);
  return new Set(variables);
}

/** `45s`, `2m` or `1m30s` as Docker reads it. */
export function composeSeconds(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  assert.equal(parts.map(([all]) => all).join(''), text, `${text} is no duration`);
  const units: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600 };
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit as string] as number), 0);
}
