// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// A desk and a phone, by day and by night.
export const looks = [
  { name: 'desktop-light', width: 1440, height: 900, dark: false },
  { name: 'desktop-dark', width: 1440, height: 900, dark: true },
  { name: 'phone-light', width: 390, height: 844, dark: false },
  { name: 'phone-dark', width: 390, height: 844, dark: true },
];

// For a person to look at: a picture in the directory that PICTURES names.
export async function show(page, name) {
  const directory = process.env.PICTURES;
  if (!directory) return;
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${name}.png`), await page.screenshot());
}
