// The pages of the manual, from the declarations of the commands. Node runs these without a build.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { versionLiteral } from './options.mjs';

/** Writes all pages, compressed, into a folder that it makes. SOURCE_DATE_EPOCH, in seconds, is their date; today where it is not set. */
export async function writeManual(folder) {
  globalThis.EDGECTL_VERSION = JSON.parse(versionLiteral);
  const { commandTable } = await import('../src/cli/commands/table.ts');
  const { manualPages } = await import('../src/cli/output/manual.ts');
  const date = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000) * 1000);
  const told = date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  await mkdir(folder);
  for (const { file, text } of manualPages(commandTable, told)) {
    await writeFile(join(folder, `${file}.gz`), gzipSync(text, { level: 9 }));
  }
}
