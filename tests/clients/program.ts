// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Starts and stops the programs that the tests talk to: petstore and the Prism proxy. Both get a free port, tell their
// address on standard output, and end with the test that started them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const startDeadlineMs = 60_000;
const stopDeadlineMs = 30_000;

// Continuous refill, so that a client that has used up its minute waits one second and not sixty.
const configuration = `
[plans.free]
per_minute = 60
per_day = 1000
refill = "continuous"
`;

class RunningProgram {
  private constructor(
    private readonly child: ChildProcess,
    /** What the first group of the awaited pattern matched. */
    readonly announced: string,
  ) {}

  /** Resolves when the program has printed a line that matches. */
  static start(command: string, args: string[], pattern: RegExp): Promise<RunningProgram> {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    process.once('exit', () => child.kill('SIGKILL'));
    return new Promise((resolve, reject) => {
      let output = '';
      let announced: string | undefined;
      const giveUp = (why: string): void => {
        child.kill('SIGKILL');
        reject(new Error(`${command} ${args.join(' ')}: ${why}\n${output}`));
      };
      const deadline = setTimeout(giveUp, startDeadlineMs, 'not ready in time');
      const exited = (code: number | null): void => giveUp(`exited with ${code}`);
      child.once('error', (error) => giveUp(error.message));
      child.once('exit', exited);
      const read = (text: string): void => {
        if (announced !== undefined) return; // Read on all the same: a full pipe would stop the program.
        output += text;
        announced = pattern.exec(output)?.[1];
        if (announced === undefined) return;
        clearTimeout(deadline);
        child.off('exit', exited);
        resolve(new RunningProgram(child, announced));
      };
      child.stdout.setEncoding('utf8').on('data', read);
      child.stderr.setEncoding('utf8').on('data', read);
    });
  }

  /** Asks it to end and resolves to its exit code; null when a signal ended it. */
  stop(): Promise<number | null> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
    return new Promise((resolve) => {
      const deadline = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
      child.once('exit', (code) => {
        clearTimeout(deadline);
        resolve(code);
      });
      child.kill('SIGTERM');
    });
  }
}

/** A petstore with a new store in a directory of its own. */
export class Petstore {
  private running: RunningProgram | undefined;

  private constructor(
    private readonly program: string,
    private readonly directory: string,
  ) {}

  /** The program under test is named by the environment variable PETSTORE. */
  static create(): Petstore {
    const program = process.env['PETSTORE'];
    if (program === undefined) throw new Error('PETSTORE must name the program.');
    const petstore = new Petstore(program, mkdtempSync(join(tmpdir(), 'petstore-clients-')));
    writeFileSync(petstore.configurationFile(), configuration);
    return petstore;
  }

  createKey(plan: string): string {
    const args = ['keys', 'create', '--store', this.store(), '--plan', plan];
    return execFileSync(this.program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  }

  /** Resolves to the base address, which ends in `/v1`. */
  async serve(): Promise<string> {
    const args = ['serve', '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--store', this.store()];
    args.push('--config', this.configurationFile(), '--log-file', join(this.directory, 'log'));
    this.running = await RunningProgram.start(this.program, args, /^listening on (\S+)\n/m);
    return this.running.announced;
  }

  /** Resolves to the exit code. */
  async remove(): Promise<number | null> {
    const code = (await this.running?.stop()) ?? null;
    rmSync(this.directory, { recursive: true });
    return code;
  }

  private store(): string {
    return `lmdb:${join(this.directory, 'store')}`;
  }

  private configurationFile(): string {
    return join(this.directory, 'petstore.toml');
  }
}

/**
 * Prism between client and service: it holds every request and every answer against the document and turns a violation
 * into an error answer of its own.
 */
export function startValidatingProxy(document: string, upstream: string): Promise<RunningProgram> {
  const args = ['proxy', document, upstream, '--errors', '--host', '127.0.0.1', '--port', '0'];
  return RunningProgram.start('prism', args, /Prism is listening on (\S+)\n/);
}
