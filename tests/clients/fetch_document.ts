// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Writes the OpenAPI document, as the program serves it, to the file named by the argument.
import { writeFileSync } from 'node:fs';
import { Petstore } from './program.js';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('The argument is the file to write.');

const petstore = Petstore.create();
try {
  const answer = await fetch(`${await petstore.serve()}/openapi.json`);
  if (!answer.ok) throw new Error(`GET /openapi.json: ${answer.status}`);
  writeFileSync(file, await answer.text());
} finally {
  await petstore.remove();
}
