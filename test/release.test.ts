import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { scratchFolder } from './support/world.ts';

let checkout: string;
/** Programs that releases need, which these tests do not run. */
let programs: string;
beforeAll(() => {
  checkout = scratchFolder('release');
  for (const name of ['package.json', 'CHANGELOG.md', 'build']) {
    cpSync(name, join(checkout, name), { recursive: true });
  }
  programs = scratchFolder('programs');
  for (const name of ['dpkg-deb', 'rpmbuild', 'tar', 'npm']) {
    writeFileSync(join(programs, name), '#!/bin/sh\n', { mode: 0o755 });
  }
  const gitPath = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(programs, 'git'), `#!/bin/sh\nexec ${gitPath} "$@"\n`, { mode: 0o755 });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'All');
});

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: checkout });
}

function release(...args: readonly string[]) {
  const options = { cwd: checkout, encoding: 'utf8', env: { PATH: programs } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build/release.mjs', ...args], options);
  return { status, stdout, stderr };
}

test('a version that cannot be released is rejected with all reasons, before anything long', () => {
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
});

test('nothing is released while the owner has not decided on its address, or without programs that make packages', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(release(version)).toMatchObject({ status: 2, stdout: '' });
  expect(release(version).stderr).toMatch(/^build\/owner\.json has placeholders: repository, /);
  rmSync(join(programs, 'rpmbuild'));
  expect(release(version).stderr).toMatch(/^rpmbuild is not installed: apt-get install rpm\.$/m);
});
