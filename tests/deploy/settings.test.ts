// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What every file in deploy/ says of the program's settings, and what the image does.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { validate } from 'dockerfile-utils';
import { checkout, composeSeconds, deploy, filesBelow, nameOf, read, Settings, settingVariables } from './deployed.js';

const dockerfile = read(join(deploy, 'docker/Dockerfile'));
const lines = dockerfile.replaceAll('\\\n', ' ').split('\n');
const instructions = (name: string): string[] =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

describe('settings in deploy/', () => {
  test('every PETSTORE_ variable is one that the program reads', () => {
    const settings = settingVariables();
    const isKnown = (name: string): boolean =>
      settings.has(name) || (name.endsWith('_FILE') && settings.has(name.slice(0, -'_FILE'.length)));
    // The path of the settings' file; what deploy/cluster is told; options of CMake.
    const others = /^PETSTORE_(CONFIG|PROGRAM|BUILD_[A-Z]+|INSTALL|NPM|PACKAGE_MAINTAINER|SANITIZE)$/;
    for (const file of filesBelow(deploy)) {
      for (const [name] of read(file).matchAll(/\bPETSTORE_[A-Z_]*[A-Z]\b/g)) {
        assert(isKnown(name) || others.test(name), `${nameOf(file)}: ${name} is no setting`);
      }
    }
  });

  test('every settings file is sound', () => {
    const files = filesBelow(deploy).filter((file) => file.endsWith('.toml'));
    assert(files.length >= 4, String(files));
    for (const file of files) assert.doesNotThrow(() => Settings.of(read(file), { PETSTORE_STORE: 'memory:' }), nameOf(file));
  });

  test('a file with a setting that does not exist would be found', () => {
    assert.throws(() => Settings.of('drain_dealy = "5s"'), /unknown key `drain_dealy`/);
  });
});

describe('the Dockerfile', () => {
  const settings = Settings.of(read(join(deploy, 'docker/petstore.toml')));

  test('is one without fault, and one with a fault would be found', () => {
    assert.deepEqual(validate(dockerfile), []);
    assert.notDeepEqual(validate(dockerfile.replace('HEALTHCHECK --interval', 'HEALTHCHECK --intervall')), []);
  });

  test('builds from sources that .dockerignore lets in', () => {
    const ignored = read(join(checkout, '.dockerignore'))
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    assert.equal(ignored[0], '*');
    const copied = instructions('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1));
    for (const path of copied) {
      assert(
        ignored.some((line) => line.startsWith('!') && `${path}/`.startsWith(`${line.slice(1)}/`)),
        `${path} is ignored`,
      );
    }
  });

  test('fetches what its pages need in the stage that builds, and has no npm where it runs', () => {
    const packages = (name: string) => read(join(deploy, name)).split('\n');
    assert(packages('pages_packages.txt').includes('npm'));
    assert(!packages('docker/packages.txt').includes('npm'));
    const [building, running] = dockerfile.split('FROM ${DEBIAN_SLIM}');
    assert.match(building ?? '', /install_packages .*deploy\/pages_packages\.txt/);
    assert.doesNotMatch(running ?? '', /pages_packages|npm/);
  });

  test('exposes the ports on which the image listens', () => {
    assert.deepEqual(instructions('EXPOSE'), [`${settings.port('listen')} ${settings.port('admin-listen')}`]);
  });

  test('ends within the 10 s that docker stop gives', () => {
    assert(settings.drainSeconds < 10, `${settings.drainSeconds} s`);
  });

  test('is asked for its health for longer than the program asks', () => {
    const timeout = / --timeout=(\S+) /.exec(instructions('HEALTHCHECK')[0] ?? '')?.[1] ?? '0s';
    const deadline = /health_deadline\{(\d+)\}/.exec(
      read(join(checkout, 'server/program/cli/command_line.cpp')),
    )?.[1];
    assert(composeSeconds(timeout) * 1000 > Number(deadline), `${timeout} against ${deadline} ms`);
  });
});
