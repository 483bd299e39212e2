import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { scratchFolder } from './support/world.ts';

let checkout: string;
beforeAll(() => {
  checkout = scratchFolder('release');
  for (const name of ['package.json', 'CHANGELOG.md', 'build']) {
    cpSync(name, join(checkout, name), { recursive: true });
  }
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'All');
});

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: checkout });
}

function release(...args: readonly string[]) {
  const options = { cwd: checkout, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build/release.mjs', ...args], options);
  return { status, stdout, stderr };
}

test('a dry release prints each step and changes nothing', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const ran = release(version, '--dry-run');
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  expect(ran.stdout.split('\n')[0]).toBe('npm cit');
  expect(ran.stdout).toContain('npm publish --dry-run\n');
  expect(ran.stdout).toContain(`git tag --annotate v${version} `);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: checkout, encoding: 'utf8' })).toBe('');
});

test('a version that cannot be released is rejected with all reasons', () => {
  writeFileSync(join(checkout, 'left'), '');
  expect(release('0.0.9', '--dry-run')).toMatchObject({
    status: 2,
    stdout: '',
    stderr:
      '0.0.9 is before 0.1.0, which package.json has.\nCHANGELOG.md has no line "## 0.0.9 (unreleased)".\n' +
      'There are changes that are not committed.\n',
  });
  expect(release('next', '--fast').stderr).toMatch(/^There is no --fast: .*\n"next" is no version/);
});
