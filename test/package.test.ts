import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { distOptions } from '../build/options.mjs';
import { workerPackages } from '../src/model/workers/packages.ts';

const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));
const sbomText = readFileSync('sbom.cdx.json', 'utf8');
const sbom: Sbom = JSON.parse(sbomText);
const notices = readFileSync('THIRD-PARTY-NOTICES', 'utf8');

interface Sbom {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp: string; readonly supplier: object };
  readonly components: readonly SbomComponent[];
}

interface SbomComponent {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly author?: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

/** Returns the package's name in the registry; CycloneDX stores the scope in a separate field. */
function packageName({ group, name }: SbomComponent): string {
  return group === undefined ? name : `${group}/${name}`;
}

test('the notices and the bill of materials list exactly the packages whose code is shipped', async () => {
  const { metafile } = await build({ ...distOptions, write: false, metafile: true });
  const found = Object.keys(metafile.inputs).flatMap(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  const names = [...new Set(found)].sort();
  expect(names.length).toBeGreaterThan(50);
  expect([...new Set(sbom.components.map(packageName))].sort()).toEqual(names);
  for (const one of sbom.components) expect(notices).toContain(`\n${packageName(one)} ${one.version}\n`);
});

test('the bill of materials fits the schema of CycloneDX 1.6, with a serial number, a time and the hash of each package', async () => {
  expect(await new Validation.JsonStrictValidator(Spec.Spec1dot6.version).validate(sbomText)).toBeNull();
  expect(sbom.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(sbom.metadata.timestamp).toMatch(/^20\d\d-/);
  // The NTIA's minimum elements also include the supplier of each part.
  const { author, homepage } = JSON.parse(readFileSync('build/owner.json', 'utf8'));
  expect(sbom.metadata.supplier).toEqual({ name: author, url: [homepage] });
  expect(sbom.components.filter(({ author }) => author !== undefined).length).toBeGreaterThan(50);
  expect(sbom.components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512').map(packageName)).toEqual([]);
});

test('the packages for workers are not installed by default, and edgectl names their tested versions', () => {
  const { devDependencies, dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    packageJson;
  // npm -g installs optional dependencies despite --omit. The dependencies would take 210 MB on the machine of an operator who needs only
  // the commands.
  expect([dependencies, optionalDependencies]).toEqual([undefined, undefined]);
  const names = Object.keys(peerDependencies);
  expect(names.map((name) => peerDependenciesMeta[name])).toEqual(names.map(() => ({ optional: true })));
  expect([...workerPackages].sort()).toEqual(names.sort().map((name) => `${name}@${devDependencies[name]}`));
});

test('the notices list each package above the terms of its license, with its copyright holders', () => {
  const bodies = notices.split(/^-{80}$/m).slice(1);
  const bare = bodies.filter((body) => !/permission|redistribution|licensed under|warranty/i.test(body));
  expect(bare.map((body) => body.trim().split('\n')[0])).toEqual([]);
  for (const one of sbom.components) {
    expect(bodies.filter((body) => body.includes(`\n${packageName(one)} ${one.version}\n`))).toHaveLength(1);
  }
  const owners = readFileSync('node_modules/ink/license', 'utf8').match(/^Copyright.*$/gm);
  expect(owners).not.toBeNull();
  expect(notices).toContain(`\nink 8.0.0\n${owners?.join('\n')}\n`);
});

test('the package contains all required files, and no tests', () => {
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
  // The package includes documents, types and notices; the runtime and the bundler for workers are separate packages. Schemas take 0.46 MB,
  // documents 0.28 MB, the bill of materials 0.06 MB.
  expect(packed.unpackedSize).toBeLessThan(2_800_000);
  expect(paths.filter((path) => /^(?:src|test|components|bench)\//.test(path))).toEqual([]);
  for (const { types, default: code } of Object.values<{ types: string; default: string }>(
    packageJson.exports,
  )) {
    if (types !== undefined) expect(paths).toEqual(expect.arrayContaining([types.slice(2), code.slice(2)]));
  }
});
