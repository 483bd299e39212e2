import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { setModes } from '../build/artifacts.mjs';
import { inSoak } from './support/in-part.ts';
import { scratchFolder } from './support/world.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const owner = {
  repository: 'https://github.com/acme/edgectl',
  homepage: 'https://example.com',
  author: 'Acme',
};

let checkout: string;
/** Folder with replacements for the programs that a release needs, but that these tests do not run. */
let programs: string;
beforeEach(() => {
  checkout = scratchFolder('release');
  for (const name of ['package.json', 'CHANGELOG.md', 'build']) {
    cpSync(name, join(checkout, name), { recursive: true });
  }
  programs = scratchFolder('programs');
  for (const name of ['dpkg-deb', 'rpmbuild', 'strip', 'tar']) addProgram(name, '');
  const gitPath = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  addProgram('git', `exec ${gitPath} "$@"`);
  npmAnswers({ error: { code: 'E404' } }, 1);
  git('init', '--quiet');
  commit();
  const origin = scratchFolder('origin');
  execFileSync('git', ['init', '--quiet', '--bare'], { cwd: origin });
  git('remote', 'add', 'origin', origin);
});

function addProgram(name: string, script: string): void {
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Sets the output of `npm view` for the name of the package. */
function npmAnswers(answer: object, status: number): void {
  addProgram('npm', `echo '${JSON.stringify(answer)}'; exit ${status}`);
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: checkout });
}

function commit(): void {
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'All');
}

function decideOwner(): void {
  writeFileSync(join(checkout, 'build/owner.json'), JSON.stringify(owner));
  commit();
}

function release(...args: readonly string[]) {
  const options = { cwd: checkout, encoding: 'utf8', env: { PATH: programs } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build/release.mjs', ...args], options);
  return { status, stdout, stderr };
}

test('rejects a version that cannot be released with all reasons, before any long step', () => {
  writeFileSync(join(checkout, 'left'), '');
  expect(release('0.0.9', '--dry-run')).toMatchObject({
    status: 2,
    stdout: '',
    stderr:
      '0.0.9 is older than 0.1.0, the version in package.json.\nCHANGELOG.md has no line "## 0.0.9 (unreleased)".\n' +
      'The checkout has uncommitted changes.\n',
  });
  rmSync(join(checkout, 'left'));
  expect(release('next', '--fast').stderr).toMatch(/^Unknown flag --fast: .*\nInvalid version "next"/);
  expect(release('0.2.0', '--dry-run').stderr).toBe(
    `A dry run builds the version in package.json, ${version}: npm version 0.2.0 --no-git-tag-version, and commit.\n` +
      'CHANGELOG.md has no line "## 0.2.0 (unreleased)".\n',
  );
  git('tag', `v${version}`);
  for (const name of ['rpmbuild', 'strip']) rmSync(join(programs, name));
  expect(release(version).stderr).toBe(
    `The tag v${version} already exists.\nrpmbuild is not installed: apt-get install rpm.\n` +
      'strip is not installed: apt-get install binutils.\n',
  );
});

test('releases nothing until the owner has decided on the address and contacts of the project', () => {
  const fields = Object.keys(JSON.parse(readFileSync('build/owner.json', 'utf8'))).join(', ');
  expect(release(version)).toEqual({
    status: 2,
    stdout: '',
    stderr: `build/owner.json has placeholders: ${fields}.\n`,
  });
});

inSoak(() => {
  test('releases nothing without permission to push, or under a name on npm that belongs to another project', () => {
    decideOwner();
    git('remote', 'set-url', 'origin', join(checkout, 'nowhere'));
    npmAnswers({ versions: ['1.0.0'], 'repository.url': 'git+https://github.com/other/edgectl.git' }, 0);
    expect(release(version)).toMatchObject({ status: 2, stdout: '' });
    expect(release(version).stderr).toMatch(
      /^Cannot push to origin: '.*nowhere' does not appear to be a git repository\.\nThe name edgectl on npm belongs to another project \(git\+https:\/\/github\.com\/other\/edgectl\.git\): choose a scope\.\n$/,
    );
    npmAnswers({ versions: ['0.0.1', version], 'repository.url': `git+${owner.repository}.git` }, 0);
    expect(release(version).stderr).toMatch(new RegExp(`^npm already has edgectl ${version}\\.$`, 'm'));
    npmAnswers({ error: { code: 'ENOTFOUND' } }, 1);
    expect(release(version).stderr).toMatch(/^The npm registry cannot be reached: npm ping\.$/m);
  });
});

inSoak(() => {
  test('the workflow builds only the commit of the tag, with its version and a dated changelog', () => {
    expect(release(version, '--tagged')).toEqual({
      status: 2,
      stdout: '',
      stderr: `CHANGELOG.md has no line "## ${version} (DATE)".\nThe tag v${version} does not point to this commit.\n`,
    });
    const changelog = join(checkout, 'CHANGELOG.md');
    const dated = readFileSync(changelog, 'utf8').replace(
      `## ${version} (unreleased)`,
      `## ${version} (2026-11-24)`,
    );
    writeFileSync(changelog, dated.replace(`## ${version}`, `## ${version.replaceAll('.', '-')}`));
    commit();
    expect(release(version, '--tagged').stderr).toContain('CHANGELOG.md has no line');
    writeFileSync(changelog, dated);
    decideOwner();
    git('tag', `v${version}`);
    npmAnswers({ error: { code: 'ENOTFOUND' } }, 1);
    expect(release(version, '--tagged').stderr).toBe('The npm registry cannot be reached: npm ping.\n');
  });
});

inSoak(() => {
  test('prints a command after a failed release that makes another attempt possible', () => {
    decideOwner();
    // In this test only the build fails, after the commit.
    addProgram(
      'npm',
      `case "$*" in view*) echo '{"error":{"code":"E404"}}'; exit 1;; "run build") exit 3;; esac`,
    );
    git('config', 'user.name', 'a');
    git('config', 'user.email', 'a@example.com');
    const { status, stderr } = release(version);
    expect(status).toBe(1);
    const reset =
      /^Error: Command failed: npm run build\n.*\nBefore another attempt: git (reset --hard [0-9a-f]{40})\n$/s;
    expect(stderr).toMatch(reset);
    expect(release(version).stderr).toBe(`CHANGELOG.md has no line "## ${version} (unreleased)".\n`);
    git(...(reset.exec(stderr)?.[1] ?? '').split(' '));
    expect(release(version)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(`Release ${version}`),
    });
  });
});

test('updates hashes only in a folder of release artifacts', () => {
  expect(release(version, '--signed').stderr).toBe(`dist-release/${version} does not exist.\n`);
});

test('makes the files of a package readable for every user, regardless of the umask of the build', async () => {
  const root = scratchFolder('root');
  mkdirSync(join(root, 'usr/bin'), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, 'usr/bin/edgectl'), '', { mode: 0o700 });
  writeFileSync(join(root, 'usr/page'), '', { mode: 0o600 });
  chmodSync(root, 0o700);
  await setModes(root);
  const modes = ['.', 'usr', 'usr/bin', 'usr/bin/edgectl', 'usr/page'].map((path) =>
    (statSync(join(root, path)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['755', '755', '755', '755', '644']);
});

inSoak(() => {
  test('checks a saved build of Node before each use, and lets two processes save it at the same time', () => {
    const folder = scratchFolder('package');
    const file = join(folder, 'package/bin/node');
    const tarball = join(checkout, 'node.tgz');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'Node');
    execFileSync('tar', ['czf', tarball, '-C', folder, 'package']);
    const digest = (path: string) => `sha512-${hash('sha512', readFileSync(path), 'base64')}`;
    const build = { package: 'a', file: 'bin/node', integrity: digest(tarball), fileIntegrity: digest(file) };
    const builds = { version: '1.0.0', platforms: { 'linux-x64': build } };
    writeFileSync(join(checkout, 'build/node-builds.json'), JSON.stringify(builds));
    const saved = 'node_modules/.cache/edgectl-node/linux-x64-1.0.0';
    // While npm packs (npm pack NAME --json --silent --pack-destination FOLDER), the other process saves its copy of the package.
    addProgram(
      'npm',
      `cp node.tgz "$6"; mkdir -p ${saved}/bin; printf Node > ${saved}/bin/node; echo '[{"filename":"node.tgz"}]'`,
    );
    const nodeFor = () => {
      const script =
        "import('./build/node-builds.mjs').then((it) => it.nodeFor('linux-x64')).then(console.log, (error) => console.log(error.message))";
      const env = { PATH: `${programs}:${process.env['PATH']}` };
      rmSync(join(programs, 'tar'), { force: true });
      return execFileSync(process.execPath, ['-e', script], { cwd: checkout, encoding: 'utf8', env });
    };
    expect(nodeFor()).toBe(`${saved}/bin/node\n`);
    expect(readdirSync(join(checkout, saved, '..'))).toEqual(['linux-x64-1.0.0']);
    writeFileSync(join(checkout, saved, 'bin/node'), 'another');
    expect(nodeFor()).toMatch(
      /\/bin\/node has the digest sha512-.* of build\/node-builds\.json: delete .*-1\.0\.0\.\n$/,
    );
  });
});
