import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose, type Facts, findingLines, forecast, noFacts, parseFacts } from 'edgectl/diagnosis';
import { expect, test } from 'vitest';
import { schemaFault } from '../answers/check.ts';
import { cases } from '../model/diagnosis/cases.ts';
import { inSoak } from '../support/in-part.ts';
import { scratchFolder } from '../support/world.ts';

const hostname = 'shop.acme.com';
const now = Date.UTC(2026, 5, 1);

test('accepts facts as input, returns findings, and reports missing facts', () => {
  const nothing = diagnose(noFacts(hostname, now));
  expect(nothing.exit).toBe(1);
  expect(nothing.missing.map(({ fact }) => fact)).toContain('custom hostname');
  const facts: Facts = {
    ...noFacts(hostname, now),
    record: { known: null },
    wildcardRecord: { known: null },
  };
  const { headline, exit } = diagnose(facts);
  expect({ id: headline?.id, exit }).toEqual({ id: 'A0', exit: 7 });
  expect(headline && findingLines(headline).at(-1)).toBe('    $ edgectl hostname create shop.acme.com');
  expect(forecast(facts)).toBeUndefined();
  expect(parseFacts(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
  expect(() => parseFacts({ hostname })).toThrow();
});

test('every finding of every rule matches the JSON Schema, and other values do not', async () => {
  const { findingSchema } = await import('edgectl/diagnosis');
  for (const { given } of cases) {
    for (const finding of diagnose(given).findings)
      expect(schemaFault(findingSchema, JSON.parse(JSON.stringify(finding)))).toBeUndefined();
  }
  expect(schemaFault(findingSchema, { id: 'A0' })).toContain('severity');
});

inSoak(() => {
  test('the packed package needs no network, no files and no types of Node, and its types need no other package', () => {
    const folder = scratchFolder('packed');
    const packed = execFileSync(
      'npm',
      ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
      {
        encoding: 'utf8',
      },
    ).trim();
    const home = join(folder, 'node_modules', 'edgectl');
    mkdirSync(home, { recursive: true });
    execFileSync('tar', ['xzf', join(folder, packed), '-C', home, '--strip-components=1']);
    writeFileSync(
      join(folder, 'use.mjs'),
      [
        "import { diagnose, noFacts } from 'edgectl/diagnosis';",
        `const facts = { ...noFacts('${hostname}', 0), record: { known: null }, wildcardRecord: { known: null } };`,
        'console.log(diagnose(facts).headline.id);',
      ].join('\n'),
    );
    const ran = spawnSync(process.execPath, ['--permission', `--allow-fs-read=${folder}`, 'use.mjs'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    expect(ran.stdout).toBe('A0\n');
    writeFileSync(
      join(folder, 'use.mts'),
      [
        "import { diagnose, noFacts, parseFacts } from 'edgectl/diagnosis';",
        "import { startSandbox, type TestSandbox } from 'edgectl/sandbox';",
        `export const id: string | undefined = diagnose(noFacts('${hostname}', 0)).headline?.id;`,
        'export const names: readonly string[] = [parseFacts({}).hostname];',
        'export const sandbox: Promise<TestSandbox> = startSandbox({ seed: {} });',
        '// @ts-expect-error: the option does not exist',
        'startSandbox({ sed: {} });',
      ].join('\n'),
    );
    const compiler = join(process.cwd(), 'node_modules', '.bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    const checked = spawnSync(process.execPath, [compiler, ...options, 'use.mts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(checked.stdout).toBe('');
  });
});
