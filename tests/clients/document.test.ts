// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The served documents under two independent linters. A warning fails as an error does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';

function lint(command: string, ...args: string[]): { code: number | null; output: string } {
  const done = spawnSync(command, args, { encoding: 'utf8', timeout: 120_000 });
  return { code: done.status, output: done.stdout + done.stderr };
}

for (const document of ['out/openapi.json', 'out/administration.json']) {
  describe(document, () => {
    test('spectral_finds_nothing', () => {
      const { code, output } = lint('spectral', 'lint', '--fail-severity=hint', '--ruleset=spectral.yaml', document);
      assert.equal(code, 0, output);
    });

    test('redocly_finds_nothing', () => {
      // Its exit code is 0 for warnings too.
      const { code, output } = lint('redocly', 'lint', '--config=redocly.yaml', '--format=json', document);
      assert.equal(code, 0, output);
      const { totals } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
        totals: { errors: number; warnings: number; ignored: number };
      };
      assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, output);
    });
  });
}
