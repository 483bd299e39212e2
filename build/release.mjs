// Releases a version: `npm run release -- 0.2.0`. With `--dry-run` it checks the preconditions, and prints each step instead of
// running it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [version = '', ...flags] = process.argv.slice(2);
const isDry = flags.includes('--dry-run');

/** The reasons why this version cannot be released, as sentences. */
function obstacles() {
  const { version: last } = JSON.parse(readFileSync('package.json', 'utf8'));
  const found = [];
  const unknown = flags.filter((flag) => flag !== '--dry-run');
  if (unknown.length > 0) found.push(`There is no ${unknown[0]}: npm run release -- VERSION [--dry-run].`);
  if (!/^\d+\.\d+\.\d+$/.test(version)) found.push(`"${version}" is no version: give one such as 0.2.0.`);
  else if (!isNotBefore(version, last)) found.push(`${version} is before ${last}, which package.json has.`);
  if (!notes().includes(heading())) found.push(`CHANGELOG.md has no line "${heading().trim()}".`);
  if (read('git', 'status', '--porcelain') !== '') found.push('There are changes that are not committed.');
  if (read('git', 'tag', '--list', `v${version}`) !== '') found.push(`There is a tag v${version} already.`);
  return found;
}

const notes = () => readFileSync('CHANGELOG.md', 'utf8');
const heading = () => `## ${version} (unreleased)\n`;

function isNotBefore(one, other) {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number));
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 || left[at] > right[at];
}

function read(program, ...args) {
  return execFileSync(program, args, { encoding: 'utf8' }).trim();
}

function step(program, ...args) {
  process.stdout.write(`${[program, ...args].join(' ')}\n`);
  if (!isDry) execFileSync(program, args, { stdio: 'inherit' });
}

/** Sets the date of this version in the changelog to today. */
function dateNotes() {
  const today = new Date().toISOString().slice(0, 10);
  process.stdout.write(`CHANGELOG.md: ${version} (${today})\n`);
  if (!isDry) writeFileSync('CHANGELOG.md', notes().replace(heading(), `## ${version} (${today})\n`));
}

const found = obstacles();
if (found.length > 0) {
  process.stderr.write(`${found.join('\n')}\n`);
  process.exitCode = 2;
} else {
  step('npm', 'cit');
  step('npm', 'run', 'test:nodes');
  dateNotes();
  step('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  step('npm', 'run', 'build');
  step('npm', 'publish', ...(isDry ? ['--dry-run'] : []));
  step('git', 'commit', '--all', '--message', `Release ${version}`);
  step('git', 'tag', '--annotate', `v${version}`, '--message', `edgectl ${version}`);
}
