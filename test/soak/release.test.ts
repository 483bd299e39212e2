import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { beforeAll, expect, test } from 'vitest';
import { nodeBuilds } from '../../build/node-builds.mjs';
import { scratchFolder } from '../support/world.ts';

/** Needs `dpkg-deb` and `rpmbuild` (Debian's packages dpkg and rpm): `npm run release` refuses without them. */
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
let checkout: string;
let folder: string;

beforeAll(() => {
  checkout = join(scratchFolder('release'), 'edgectl');
  run(resolve('.'), 'git', 'clone', '--quiet', '--no-hardlinks', resolve('.'), checkout);
  // Not a link: the bundler resolves it, and paths in notices would leave the checkout.
  cpSync('node_modules', join(checkout, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  folder = join(checkout, 'dist-release', version);
  release();
});

function run(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function release(): string {
  return run(checkout, process.execPath, 'build/release.mjs', version, '--dry-run');
}

function readSums(): string {
  return readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
}

test('two dry releases of one commit write equal artifacts, and nothing outside of their folder', () => {
  const first = readSums();
  release();
  expect(readSums()).toBe(first);
  expect(first.split('\n').length).toBeGreaterThan(15);
  expect(run(folder, 'sha256sum', '--check', '--quiet', 'SHA256SUMS')).toBe('');
  expect(run(checkout, 'git', 'status', '--porcelain')).toBe('');
});

test('each executable has the format of its platform', () => {
  const formats = {
    'linux-x64': /ELF 64-bit .*x86-64/,
    'linux-arm64': /ELF 64-bit .*aarch64/,
    'darwin-arm64': /Mach-O 64-bit arm64/,
    'darwin-x64': /Mach-O 64-bit x86_64/,
    'win32-x64': /PE32\+ executable .*x86-64/,
  };
  expect(Object.keys(formats).sort()).toEqual(Object.keys(nodeBuilds.platforms).sort());
  for (const [platform, format] of Object.entries(formats)) {
    const [name = ''] = readdirSync(folder).filter(
      (file) => file.includes(platform) && !file.endsWith('.json'),
    );
    expect(run(folder, 'file', '--brief', name)).toMatch(format);
  }
});

test('each bill of materials fits CycloneDX 1.6 and has the hash of its executable', async () => {
  const bills = readdirSync(folder).filter((file) => file.endsWith('.cdx.json'));
  expect(bills).toHaveLength(5);
  for (const file of bills) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(await new Validation.JsonStrictValidator(Spec.Spec1dot6.version).validate(text)).toBeNull();
    const { metadata, components } = JSON.parse(text);
    expect(readSums()).toContain(
      `${metadata.component.hashes[0].content}  ${file.replace('.cdx.json', '')}\n`,
    );
    expect(components.map((one: { name: string }) => one.name)).toEqual(
      expect.arrayContaining(['ink', 'node']),
    );
  }
});

test('the Debian package installs the program, its pages, completions and licenses', () => {
  const root = scratchFolder('root');
  mkdirSync(join(root, 'var/lib/dpkg/updates'), { recursive: true });
  mkdirSync(join(root, 'var/lib/dpkg/info'));
  writeFileSync(join(root, 'var/lib/dpkg/status'), '');
  const forced = ['--force-depends', '--force-not-root', '--log=/dev/null'];
  run(folder, 'dpkg', `--root=${root}`, ...forced, '--install', `edgectl_${version}_amd64.deb`);
  const program = join(root, 'usr/bin/edgectl');
  expect(run(root, program, '--version')).toBe(`${version}\n`);
  expect(run(root, program, 'licenses')).toContain('Node.js is licensed for use as follows');
  expect(readdirSync(join(root, 'usr/share/man/man1'))).toContain('edgectl-kv.1.gz');
  expect(readdirSync(join(root, 'usr/share/doc/edgectl')).sort()).toEqual([
    'LICENSE-node',
    'THIRD-PARTY-NOTICES',
    'copyright',
    'sbom.cdx.json',
  ]);
  const completions = run(root, 'find', 'usr/share', '-name', '*edgectl*', '-path', '*completions*');
  expect(completions.trim().split('\n')).toHaveLength(3);
});

test('the RPM package contains the same files', () => {
  const files = run(folder, 'rpm', '--query', '--package', '--list', `edgectl-${version}-1.x86_64.rpm`);
  expect(files).toContain('/usr/bin/edgectl\n');
  expect(files).toContain('/usr/share/man/man1/edgectl-kv.1.gz\n');
  expect(files).toContain('/usr/share/doc/edgectl/THIRD-PARTY-NOTICES\n');
});

test('the npm package has an address and no scripts, and its pictures have absolute addresses', () => {
  const unpacked = scratchFolder('unpacked');
  run(folder, 'tar', 'xzf', `edgectl-${version}.tgz`, '-C', unpacked, '--strip-components=1');
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    repository: { type: 'git' },
    bugs: { url: expect.any(String) },
    homepage: expect.any(String),
    author: expect.any(String),
    keywords: expect.arrayContaining(['cloudflare']),
    publishConfig: { provenance: true },
  });
  expect(manifest.scripts).toBeUndefined();
  expect(readFileSync(join(unpacked, 'README.md'), 'utf8')).not.toMatch(/\]\((?:\.\/)?docs\/pictures/);
});
