// Releases a version: `npm run release -- 0.2.0`. With `--dry-run` it does all of it except what can be seen from outside: it checks,
// and writes every artifact into dist-release/VERSION, but runs no tests and publishes nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [version = '', ...flags] = process.argv.slice(2);
const isDry = flags.includes('--dry-run');
const folder = join('dist-release', version);

/** The reasons why this version cannot be released, each as a sentence. All checks take seconds: they come before anything long. */
function obstacles() {
  const { version: last } = JSON.parse(readFileSync('package.json', 'utf8'));
  const found = [];
  const unknown = flags.filter((flag) => flag !== '--dry-run');
  if (unknown.length > 0) found.push(`Unknown flag ${unknown[0]}: npm run release -- VERSION [--dry-run].`);
  if (!/^\d+\.\d+\.\d+$/.test(version))
    found.push(`Invalid version "${version}": expected one such as 0.2.0.`);
  else if (!isNotBefore(version, last))
    found.push(`${version} is older than ${last}, the version in package.json.`);
  if (!notes().includes(heading())) found.push(`CHANGELOG.md has no line "${heading().trim()}".`);
  if (read('git', 'status', '--porcelain') !== '') found.push('The checkout has uncommitted changes.');
  if (read('git', 'tag', '--list', `v${version}`) !== '') found.push(`The tag v${version} exists already.`);
  for (const [program, debian] of Object.entries(packagers)) {
    if (spawnSync(program, ['--version']).error !== undefined) {
      found.push(`${program} is not installed: apt-get install ${debian}.`);
    }
  }
  return found;
}

/** The reasons that matter only once something is published. */
function publishingObstacles() {
  const found = [];
  const owner = JSON.parse(readFileSync(join('build', 'owner.json'), 'utf8'));
  const undecided = Object.keys(owner).filter((field) => /OWNER/.test(owner[field]));
  if (undecided.length > 0) found.push(`build/owner.json has placeholders: ${undecided.join(', ')}.`);
  const { status, stderr } = spawnSync('npm', ['whoami'], { encoding: 'utf8', timeout: 30_000 });
  if (status !== 0) {
    const isSignedOut = /ENEEDAUTH|E401/.test(stderr);
    found.push(
      isSignedOut ? 'Not signed in to npm: npm login.' : 'The npm registry cannot be reached: npm ping.',
    );
  }
  return found;
}

/** Programs that make the artifacts, with the Debian package that contains each. */
const packagers = { 'dpkg-deb': 'dpkg', rpmbuild: 'rpm', tar: 'tar' };

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

/** Runs a step, or only prints it in a dry run. */
function step(program, ...args) {
  print([program, ...args].join(' '));
  if (!isDry) execFileSync(program, args, { stdio: 'inherit' });
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

/** Puts the date of the release into the changelog. */
function dateNotes() {
  const today = new Date().toISOString().slice(0, 10);
  print(`CHANGELOG.md: ${version} (${today})`);
  if (!isDry) writeFileSync('CHANGELOG.md', notes().replace(heading(), `## ${version} (${today})\n`));
}

async function release() {
  step('npm', 'cit');
  step('npm', 'run', 'test:nodes');
  dateNotes();
  step('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  step('git', 'commit', '--all', '--message', `Release ${version}`);
  execFileSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  // After the build, because it reads what that has made.
  const { writeArtifacts } = await import('./artifacts.mjs');
  await writeArtifacts(folder, (what) => print(`${folder}: ${what}`));
  step('npm', 'publish', join(folder, `edgectl-${version}.tgz`));
  step('git', 'tag', '--annotate', `v${version}`, '--message', `edgectl ${version}`);
  print(
    isDry
      ? `Nothing was published. Artifacts: ${folder}`
      : 'Next: git push --follow-tags, and attach the artifacts to the tag.',
  );
}

const found = obstacles();
const later = found.length === 0 ? publishingObstacles() : [];
if (found.length > 0 || (!isDry && later.length > 0)) {
  process.stderr.write(`${[...found, ...later].join('\n')}\n`);
  process.exitCode = 2;
} else {
  for (const obstacle of later) print(`A real release would refuse: ${obstacle}`);
  await release();
}
