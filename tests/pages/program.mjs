// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The built program as a process of its own, on free ports, with a shop that is gone with it.
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const petstore = process.env.PETSTORE;

export class Program {
  static async start(...more) {
    const program = new Program();
    const args = ['serve', ...(more.includes('--store') ? [] : ['--store', 'memory:']), '--demo', '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0',
      '--access-log', 'off', ...more];
    program.process = spawn(petstore, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    program.ended = new Promise((done) => program.process.once('exit', done));
    for await (const line of createInterface({ input: program.process.stdout })) {
      const told = /^(listening on|admin on|demo key) (.*)$/.exec(line);
      if (told) program[{ 'listening on': 'url', 'admin on': 'admin', 'demo key': 'key' }[told[1]]] = told[2];
      if (program.key) break;
    }
    if (!program.key) throw new Error('the program did not start');
    program.origin = new URL(program.url).origin;
    return program;
  }

  // So many requests with the demo key, one after the other.
  async use(count, path = '/pets?limit=1', key = this.key) {
    const seen = new Map();
    for (let i = 0; i < count; i += 1) {
      const answer = await fetch(`${this.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    }
    return seen;
  }

  async stop() {
    this.process.kill('SIGTERM');
    const kill = setTimeout(() => this.process.kill('SIGKILL'), 30_000);
    const code = await this.ended;
    clearTimeout(kill);
    return code;
  }
}

export const run = (...args) => new Promise((done, fail) =>
  execFile(petstore, args, (cause, stdout) => (cause ? fail(cause) : done(stdout.trim()))));
