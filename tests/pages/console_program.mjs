// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A program whose console has an operator, rosa, and a viewer, vera.
import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './program.mjs';

export const tokens = {
  rosa: 'a-secret-of-the-operators-of-this-very-test',
  vera: 'a-secret-of-the-viewers-of-this-very-test',
};

export async function startConsoleProgram(...more) {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-console-'));
  const file = join(directory, 'tokens');
  await writeFile(file, `rosa operator ${tokens.rosa}\nvera viewer ${tokens.vera}\n`, { mode: 0o600 });
  const program = await Program.start('--admin-token-file', file, '--threads', '2', ...more);
  program.ended.then(() => rm(directory, { recursive: true, force: true }));
  return program;
}

// An operation of the administration API, as a program asks for it. Returns the answer's object.
export async function administer(program, method, path, body) {
  const answer = await fetch(`${program.admin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens.rosa}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.json();
}

export const makeKey = (program, name, plan = 'free') => administer(program, 'POST', '/keys', { name, plan });

export async function signIn(page, hand, token) {
  await hand.push(page, '#sign-in');
  await page.until('the question for the token', `document.getElementById('sign-in-box').open`);
  await hand.fill(page, '#token', token);
  await page.press('Enter');
}
