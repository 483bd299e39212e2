import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { beforeAll, expect, test } from 'vitest';
import { nodeBuilds, nodeLicense } from '../../build/node-builds.mjs';
import { scratchFolder } from '../support/world.ts';

/**
 * These tests need `dpkg-deb`, `rpmbuild` and `strip` (Debian's packages dpkg, rpm and binutils), without which `npm run release` refuses
 * to run.
 */
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const platforms = Object.keys(nodeBuilds.platforms);
let checkout: string;
let folder: string;

beforeAll(() => {
  checkout = join(scratchFolder('release'), 'edgectl');
  run(resolve('.'), 'git', 'clone', '--quiet', '--no-hardlinks', resolve('.'), checkout);
  // The folder is copied, because the bundler would resolve a link, and paths in notices would point outside the checkout.
  cpSync('node_modules', join(checkout, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  folder = join(checkout, 'dist-release', version);
  release('--dry-run');
});

function run(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
}

function release(flag: string): string {
  return run(checkout, process.execPath, 'build/release.mjs', version, flag);
}

function readSums(): string {
  return readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
}

function executable(platform: string): string {
  return join(folder, `edgectl-${version}-${platform}${platform.startsWith('win32') ? '.exe' : ''}`);
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

/** Lists every file in the checkout that is not in .git and that neither a build nor a release writes, with its size and time. */
function listOthers(): string[] {
  const written =
    /^(?:dist|dist-release|node_modules\/\.cache)(?:\/|$)|^(?:THIRD-PARTY-NOTICES|sbom\.cdx\.json)$/;
  const ofGit = /^\.git(?:\/|$)/;
  return readdirSync(checkout, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !written.test(relative(checkout, path)) && !ofGit.test(relative(checkout, path)))
    .map((path) => `${relative(checkout, path)} ${lstatSync(path).size} ${lstatSync(path).mtimeMs}`)
    .sort();
}

test('writes equal artifacts in two dry runs of the release of one commit in different folders, and nothing elsewhere', () => {
  const first = readSums();
  const [before, temporary] = [
    listOthers(),
    readdirSync('/tmp').filter((name) => /^edgectl-release/.test(name)),
  ];
  const renamed = join(scratchFolder('elsewhere'), 'another name');
  renameSync(checkout, renamed);
  checkout = renamed;
  folder = join(checkout, 'dist-release', version);
  rmSync(folder, { recursive: true });
  release('--dry-run');
  expect(readSums()).toBe(first);
  expect(first.split('\n').length).toBeGreaterThan(15);
  expect(run(folder, 'sha256sum', '--check', '--quiet', 'SHA256SUMS')).toBe('');
  expect(run(checkout, 'git', 'status', '--porcelain')).toBe('');
  expect(listOthers()).toEqual(before);
  expect(readdirSync('/tmp').filter((name) => /^edgectl-release/.test(name))).toEqual(temporary);
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

/** https://nodejs.org/api/single-executable-applications.html: an executable contains a program if its fuse ends in 1. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1';

test('each executable contains the program, the notices and the licenses of Node, and the fuse that makes Node use them', async () => {
  const parts = [
    readFileSync('THIRD-PARTY-NOTICES'),
    Buffer.from(await nodeLicense()),
    readFileSync('LICENSE'),
  ];
  for (const platform of platforms) {
    const bytes = readFileSync(executable(platform));
    expect(bytes.includes(fuse), platform).toBe(true);
    for (const part of parts) expect(bytes.includes(part), platform).toBe(true);
    // The executable contains the names of the embedded files.
    for (const name of ['program.cjs', 'reading.cjs', 'remote.cjs'])
      expect(bytes.includes(name), platform).toBe(true);
  }
});

/** Uses a program as a new user does. `command` is the program, possibly with an emulator before it. */
function smoke(command: readonly string[]): void {
  const home = scratchFolder('home');
  const edgectl = (...args: readonly string[]) => {
    const [program = '', ...first] = command;
    const options = { cwd: home, encoding: 'utf8', env: { ...process.env, HOME: home } } as const;
    return execFileSync(program, [...first, ...args], options);
  };
  expect(edgectl('--version')).toBe(`${version}\n`);
  expect(edgectl('licenses')).toContain('Node.js is licensed for use as follows');
  expect(edgectl('licenses')).toContain('\nink 8.0.0\n');
  expect(edgectl('man', 'kv')).toMatch(/^\.Dd /);
  expect(edgectl('completion', 'bash')).toContain('complete ');
  const { id } = JSON.parse(edgectl('kv', 'namespace', 'create', 'SESSIONS', '--sandbox', '--json'));
  edgectl('kv', 'key', 'put', 'greeting', 'hello', '--namespace-id', id, '--sandbox');
  expect(edgectl('kv', 'key', 'get', 'greeting', '--namespace-id', id, '--sandbox')).toBe('hello');
}

test('the executable for this machine works on a machine without Node', () => {
  smoke([executable(`${process.platform}-${process.arch}`)]);
});

test('the executable for arm64 works in an emulator', ({ skip }) => {
  // Folder of Debian's packages libc6-arm64-cross, libstdc++6-arm64-cross and libatomic1-arm64-cross, which qemu-user-static needs.
  const root = '/usr/aarch64-linux-gnu';
  skip(!isInstalled('qemu-aarch64-static') || !existsSync(join(root, 'lib/libatomic.so.1')), 'no emulator');
  smoke(['qemu-aarch64-static', '-L', root, executable('linux-arm64')]);
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
    'changelog.gz',
    'copyright',
    'sbom.cdx.json',
  ]);
  const completions = run(root, 'find', 'usr/share', '-name', '*edgectl*', '-path', '*completions*');
  expect(completions.trim().split('\n')).toHaveLength(3);
});

test('the RPM package installs the same files as the Debian package, with completions where Fedora expects them', () => {
  const root = scratchFolder('root');
  const file = `edgectl-${version}-1.x86_64.rpm`;
  run(folder, 'rpm', `--root=${root}`, '--nodeps', '--install', file);
  expect(run(root, join(root, 'usr/bin/edgectl'), '--version')).toBe(`${version}\n`);
  expect(readdirSync(join(root, 'usr/share/man/man1'))).toContain('edgectl-kv.1.gz');
  expect(existsSync(join(root, 'usr/share/zsh/site-functions/_edgectl'))).toBe(true);
  expect(readFileSync(join(root, 'usr/share/doc/edgectl/THIRD-PARTY-NOTICES'), 'utf8')).toBe(
    readFileSync(join(checkout, 'THIRD-PARTY-NOTICES'), 'utf8'),
  );
  const licenses = run(folder, 'rpm', '--query', '--package', '--licensefiles', file).trim().split('\n');
  expect(licenses.map((path) => path.replace('/usr/share/doc/edgectl/', '')).sort()).toEqual([
    'LICENSE-node',
    'THIRD-PARTY-NOTICES',
    'copyright',
  ]);
});

test('packages for arm64 contain the executable for arm64', () => {
  const deb = `edgectl_${version}_arm64.deb`;
  expect(run(folder, 'dpkg-deb', '--field', deb, 'Architecture')).toBe('arm64\n');
  const root = scratchFolder('root');
  run(folder, 'dpkg-deb', '--extract', deb, root);
  expect(readFileSync(join(root, 'usr/bin/edgectl')).equals(readFileSync(executable('linux-arm64')))).toBe(
    true,
  );
  const rpm = `edgectl-${version}-1.aarch64.rpm`;
  expect(run(folder, 'rpm', '--query', '--package', '--queryformat', '%{ARCH}', rpm)).toBe('aarch64');
});

test('the Homebrew formula and the Scoop manifest have the address and the hash of each executable', ({
  skip,
}) => {
  const formula = readFileSync(join(folder, 'edgectl.rb'), 'utf8');
  const manifest = JSON.parse(readFileSync(join(folder, 'edgectl.json'), 'utf8'));
  const hashes = new Map(
    readSums()
      .trim()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  );
  for (const platform of platforms.filter((one) => !one.startsWith('win32'))) {
    const name = `edgectl-${version}-${platform}`;
    expect(formula).toMatch(new RegExp(`/${name}"\\n +sha256 "${hashes.get(name)}"`));
  }
  const { url, hash } = manifest.architecture['64bit'];
  expect(url).toMatch(new RegExp(`/v${version}/edgectl-${version}-win32-x64\\.exe#/edgectl\\.exe$`));
  expect(hash).toBe(hashes.get(`edgectl-${version}-win32-x64.exe`));
  skip(!isInstalled('ruby'), 'ruby is not installed here');
  expect(run(folder, 'ruby', '-c', 'edgectl.rb')).toBe('Syntax OK\n');
});

test('the npm package has a repository address and no scripts, and its pictures have absolute addresses', () => {
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

test('npm would publish the package, publint reports nothing, and its types compile', () => {
  const file = join(folder, `edgectl-${version}.tgz`);
  const [published] = Object.values<{ name?: string; entryCount?: number }>(
    JSON.parse(
      run(scratchFolder('publish'), 'npm', 'publish', '--dry-run', '--json', '--provenance=false', file),
    ),
  ).filter((one) => typeof one === 'object');
  expect(published ?? {}).toMatchObject({ name: 'edgectl' });
  expect(run(checkout, 'node_modules/.bin/publint', 'run', file, '--strict')).toContain('All good!');
  const user = scratchFolder('user');
  mkdirSync(join(user, 'node_modules/edgectl'), { recursive: true });
  run(user, 'tar', 'xzf', file, '-C', 'node_modules/edgectl', '--strip-components=1');
  cpSync('node_modules/@types/node', join(user, 'node_modules/@types/node'), { recursive: true });
  cpSync('node_modules/undici-types', join(user, 'node_modules/undici-types'), { recursive: true });
  writeFileSync(
    join(user, 'user.mts'),
    "import { diagnose } from 'edgectl/diagnosis';\nimport { startSandbox } from 'edgectl/sandbox';\nexport default [startSandbox, diagnose];\n",
  );
  for (const resolution of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const [module, moduleResolution] = resolution;
    const flags = ['--module', module, '--moduleResolution', moduleResolution, '--target', 'es2024'];
    const tsc = resolve('node_modules/.bin/tsc');
    expect(run(user, tsc, '--noEmit', '--strict', '--types', 'node', ...flags, 'user.mts')).toBe('');
  }
});

test('updates only the hashes of executables after they were signed', () => {
  const before = readSums();
  const signed = executable('darwin-arm64');
  const original = join(scratchFolder('original'), 'edgectl');
  copyFileSync(signed, original);
  appendFileSync(signed, 'a signature');
  release('--signed');
  expect(run(folder, 'sha256sum', '--check', '--quiet', 'SHA256SUMS')).toBe('');
  const lines = readSums().split('\n');
  const changed = lines.filter((line) => !before.includes(line)).map((line) => line.slice(66));
  expect(changed).toEqual([
    `edgectl-${version}-darwin-arm64`,
    `edgectl-${version}-darwin-arm64.cdx.json`,
    'edgectl.rb',
  ]);
  copyFileSync(original, signed);
  release('--signed');
  expect(readSums()).toBe(before);
});
