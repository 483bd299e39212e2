import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { placesOf, runScript } from './support/script.ts';

const folder = join(import.meta.dirname, 'scripts');

describe.concurrent('a script of commands and keys behaves as written', () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.txt'),
  );
  for (const name of names.sort()) {
    for (const place of placesOf(join(folder, name))) {
      const title = place === undefined ? name : `${name} on ${place}`;
      test(title, { timeout: 120_000 }, () => runScript(join(folder, name), place));
    }
  }
});
