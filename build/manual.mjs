// Writes the manual pages from the declarations of the commands. Node runs the declarations without a build.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dateLiteral, versionLiteral } from './options.mjs';

/** Writes all pages, compressed, to a folder. Creates the folder. */
export async function writeManual(folder) {
  globalThis.EDGECTL_VERSION = JSON.parse(versionLiteral);
  globalThis.EDGECTL_DATE = JSON.parse(dateLiteral);
  const { commandTable } = await import('../src/cli/commands/table.ts');
  const { manualPages } = await import('../src/cli/output/manual.ts');
  await mkdir(folder);
  for (const { file, text } of manualPages(commandTable)) {
    await writeFile(join(folder, `${file}.gz`), gzipSync(text, { level: 9 }));
  }
}
