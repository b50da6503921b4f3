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
    /** What the groups of the awaited pattern matched. */
    private readonly groups: string[],
  ) {}

  /** What the first group matched. */
  get announced(): string {
    return this.group(1);
  }

  group(number: number): string {
    const found = this.groups[number - 1];
    if (found === undefined) throw new Error(`The pattern has no group ${number}.`);
    return found;
  }

  /** Resolves when the program has printed a line that matches. */
  static start(command: string, args: string[], pattern: RegExp): Promise<RunningProgram> {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    process.once('exit', () => child.kill('SIGKILL'));
    return new Promise((resolve, reject) => {
      let output = '';
      let announced: RegExpExecArray | null = null;
      const giveUp = (why: string): void => {
        child.kill('SIGKILL');
        reject(new Error(`${command} ${args.join(' ')}: ${why}\n${output}`));
      };
      const deadline = setTimeout(giveUp, startDeadlineMs, 'not ready in time');
      const exited = (code: number | null): void => giveUp(`exited with ${code}`);
      child.once('error', (error) => giveUp(error.message));
      child.once('exit', exited);
      const read = (text: string): void => {
        if (announced) return; // Read on all the same: a full pipe would stop the program.
        output += text;
        announced = pattern.exec(output);
        if (!announced) return;
        clearTimeout(deadline);
        child.off('exit', exited);
        resolve(new RunningProgram(child, announced.slice(1)));
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

/** The tokens of the administration API that every petstore here knows. */
export const tokens = {
  rosa: 'the-token-of-an-operator-who-is-called-rosa',
  vera: 'the-token-of-a-viewer-who-is-called-vera',
};

/** A petstore with a new store: in a directory of its own, or the database that is given. */
export class Petstore {
  private running: RunningProgram | undefined;

  private constructor(
    private readonly program: string,
    private readonly directory: string,
    private readonly store: string,
  ) {}

  /** The program under test is named by the environment variable PETSTORE. */
  static create(database?: string): Petstore {
    const program = process.env['PETSTORE'];
    if (program === undefined) throw new Error('PETSTORE must name the program.');
    const directory = mkdtempSync(join(tmpdir(), 'petstore-clients-'));
    const petstore = new Petstore(program, directory, database ?? `lmdb:${join(directory, 'store')}`);
    writeFileSync(petstore.configurationFile(), configuration);
    const lines = `rosa operator ${tokens.rosa}\nvera viewer ${tokens.vera}\n`;
    writeFileSync(petstore.tokenFile(), lines, { mode: 0o600 });
    return petstore;
  }

  createKey(plan: string): string {
    const args = ['keys', 'create', '--store', this.store, '--plan', plan];
    return execFileSync(this.program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  }

  /** Resolves to the base address, which ends in `/v1`. */
  async serve(): Promise<string> {
    const args = ['serve', '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--store', this.store];
    args.push('--config', this.configurationFile(), '--log-file', join(this.directory, 'log'));
    args.push('--admin-token-file', this.tokenFile());
    this.running = await RunningProgram.start(this.program, args, /^listening on (\S+)\nadmin on (\S+)\n/m);
    return this.running.announced;
  }

  /** The base address of the administration API of the service as it runs now. */
  administration(): string {
    if (!this.running) throw new Error('The service does not run.');
    return `${this.running.group(2)}/admin/v1`;
  }

  /** Resolves to the exit code. */
  async stop(): Promise<number | null> {
    return (await this.running?.stop()) ?? null;
  }

  /** Resolves to the exit code. */
  async remove(): Promise<number | null> {
    const code = await this.stop();
    rmSync(this.directory, { recursive: true });
    return code;
  }

  private configurationFile(): string {
    return join(this.directory, 'petstore.toml');
  }

  private tokenFile(): string {
    return join(this.directory, 'tokens');
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
