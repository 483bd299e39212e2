import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The lines of code below some folders, without comments: `path:line: text`. */
function linesOf(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => codeOf(join(folder, name))),
  );
}

function codeOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line, index) => `${path}:${index + 1}: ${line}`)
    .filter((line) => !/^\S+ +(\/\*|\*|\/\/)/.test(line));
}

test('where something acts is asked for by kind or capability, never by a name, an address or the choice', () => {
  const byName =
    /profileName [!=]==|target [!=]== 'local'|choice\.local|\{ local[,} ]|isLocal|canParse\((apiB|b)aseUrl/;
  const chooses = [
    // Makes the choice, out of what a person has chosen.
    'src/services/session/open-session.ts',
    'src/cli/commands/session/console.ts',
    'src/cli/commands/session/account-only.ts',
  ];
  const wrong = linesOf(['src/services', 'src/cli/commands', 'components'])
    .filter((line) => byName.test(line) && !line.includes('import '))
    .filter((line) => !chooses.some((path) => line.startsWith(path)));
  expect(wrong).toEqual([]);
});
