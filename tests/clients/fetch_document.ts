// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Writes the OpenAPI documents, as the program serves them, to the files named by the arguments: that of the service, and
// that of the administration API.
import { writeFileSync } from 'node:fs';
import { Petstore } from './program.js';

const [serviceFile, administrationFile] = process.argv.slice(2);
if (serviceFile === undefined || administrationFile === undefined) throw new Error('The arguments are two files to write.');

async function save(address: string, file: string): Promise<void> {
  const answer = await fetch(`${address}/openapi.json`);
  if (!answer.ok) throw new Error(`GET ${address}/openapi.json: ${answer.status}`);
  writeFileSync(file, await answer.text());
}

const petstore = Petstore.create();
try {
  await save(await petstore.serve(), serviceFile);
  await save(petstore.administration(), administrationFile);
} finally {
  await petstore.remove();
}
