import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { common, consoleOptions } from '../build-options.mjs';

const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));
const sbom: Sbom = JSON.parse(readFileSync('sbom.cdx.json', 'utf8'));
const notices = readFileSync('THIRD-PARTY-NOTICES', 'utf8');

interface Sbom {
  readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string }[];
}

/** Names of the packages that the bundler finds below these files, asked anew. */
async function bundledBelow(options: object, entryPoints: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    ...options,
    entryPoints: [...entryPoints],
    write: false,
    metafile: true,
    outdir: 'x',
    splitting: true,
    format: 'esm',
  });
  return Object.keys(metafile.inputs).flatMap(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
}

test('the notices and the bill of materials name every package whose code is shipped, and no other', async () => {
  const found = await Promise.all([
    bundledBelow({ ...common, external: [...common.external, '*/run-console.tsx'] }, [
      'src/main.ts',
      'src/library/sandbox.ts',
    ]),
    bundledBelow(consoleOptions, ['components/console/run-console.tsx']),
  ]);
  const names = [...new Set(found.flat())].sort();
  expect(names.length).toBeGreaterThan(50);
  expect([...new Set(sbom.components.map(({ name }) => name))].sort()).toEqual(names);
  for (const { name, version } of sbom.components) expect(notices).toContain(`\n${name} ${version}\n\n`);
});

test('each notice has the text of its licence', () => {
  const bodies = notices.split(/^-{80}$/m).slice(1);
  expect(bodies).toHaveLength(sbom.components.length);
  const bare = bodies.filter((body) => !/permission|redistribution|licensed under|warranty/i.test(body));
  expect(bare.map((body) => body.trim().split('\n')[0])).toEqual([]);
});

test('the package has what it needs, and nothing of the tests', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }),
  );
  const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'THIRD-PARTY-NOTICES',
      'sbom.cdx.json',
      'LICENSE',
      'README.md',
      'dist/edgectl.cjs',
      'dist/sandbox.cjs',
    ]),
  );
  expect(paths.filter((path) => /^(?:src|test|components|bench)\//.test(path))).toEqual([]);
  for (const { types, default: code } of Object.values<{ types: string; default: string }>(
    packageJson.exports,
  )) {
    if (types !== undefined) expect(paths).toEqual(expect.arrayContaining([types.slice(2), code.slice(2)]));
  }
});
