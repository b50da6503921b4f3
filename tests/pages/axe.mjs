// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What axe finds on a page that keeps people from using it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Everything that axe finds, a row for each place: { rule, impact, place, element }.
export async function findings(page) {
  await page.evaluate(`${await axe}; void 0`);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(
    ({ id, impact, nodes }) => nodes.map(({ target, html }) => ({ rule: id, impact, place: target.join(' '), element: html }))))`);
}

export const isSerious = ({ impact }) => impact === 'serious' || impact === 'critical';

export const faults = async (page) => (await findings(page)).filter(isSerious);
