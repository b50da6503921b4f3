// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Objects of Kubernetes against the types of its interface, by the TypeScript compiler: of a literal it knows which
// fields its type has, so that a misspelt or misplaced one is an error like a missing one. (The API server drops it.)
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
}

const types = dirname(createRequire(import.meta.url).resolve('kubernetes-types/package.json'));

/** `networking.k8s.io/v1` is in networking/v1.d.ts, `v1` in core/v1.d.ts. */
function moduleOf(apiVersion: string): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  const directory = group?.split('.')[0] ?? '';
  assert(
    readdirSync(join(types, directory)).includes(`${version}.d.ts`),
    `${apiVersion} is no version of an interface`,
  );
  return join(types, directory, `${version}.js`);
}

/** What is wrong with the objects, a sentence each. */
export function faultsOf(objects: KubernetesObject[], directory: string): string[] {
  const source = objects.map(({ apiVersion, kind, ...rest }, index) => {
    const type = `import('${moduleOf(apiVersion)}').${kind}`;
    const literal = JSON.stringify({ apiVersion, kind, ...rest }, null, 2);
    return `export const object${index}: ${type} = ${literal};\n`;
  });
  const file = join(directory, 'objects.ts');
  writeFileSync(file, source.join(''));
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
  });
  return ts.getPreEmitDiagnostics(program).map((found) => ts.flattenDiagnosticMessageText(found.messageText, '\n'));
}
