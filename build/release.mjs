// Prepares a version: `npm run release -- 0.2.0`. Checks, tests, dates the changelog, writes every artifact into
// dist-release/VERSION, commits and tags. Pushing the tag starts .github/workflows/release.yml, which publishes.
//
//   --dry-run   only checks, and writes the artifacts
//   --tagged    in the workflow: checks the tag, and writes the artifacts
//   --signed    updates the hashes after executables were signed
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [version = '', ...flags] = process.argv.slice(2);
const [isDry, isTagged, isSigned] = ['--dry-run', '--tagged', '--signed'].map((flag) => flags.includes(flag));
const folder = join('dist-release', version);
const owner = JSON.parse(readFileSync(join('build', 'owner.json'), 'utf8'));

/** Returns the reasons why this version cannot be built, each as a sentence. */
function obstacles() {
  const found = [];
  const unknown = flags.filter((flag) => !['--dry-run', '--tagged', '--signed'].includes(flag));
  if (unknown.length > 0)
    found.push(`Unknown flag ${unknown[0]}: npm run release -- VERSION [--dry-run | --tagged | --signed].`);
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    found.push(`Invalid version "${version}": expected one such as 0.2.0.`);
    return found;
  }
  if (isSigned) return existsSync(folder) ? found : [...found, `${folder} does not exist.`];
  found.push(...(isTagged ? wrongTag() : notReady()));
  if (read('git', 'status', '--porcelain') !== '') found.push('The checkout has uncommitted changes.');
  for (const [program, debian] of Object.entries(packagers)) {
    if (spawnSync(program, ['--version']).error !== undefined) {
      found.push(`${program} is not installed: apt-get install ${debian}.`);
    }
  }
  return found;
}

function notReady() {
  const found = [];
  const { version: last } = readManifest();
  if (!isNotBefore(version, last))
    found.push(`${version} is older than ${last}, the version in package.json.`);
  else if (isDry && version !== last)
    found.push(
      `A dry run builds the version in package.json, ${last}: npm version ${version} --no-git-tag-version, and commit.`,
    );
  if (!notes().includes(heading())) found.push(`CHANGELOG.md has no line "${heading().trim()}".`);
  if (read('git', 'tag', '--list', `v${version}`) !== '') found.push(`The tag v${version} already exists.`);
  return found;
}

function wrongTag() {
  const found = [];
  const { version: current } = readManifest();
  if (current !== version) found.push(`package.json has the version ${current}, not ${version}.`);
  const dated = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm');
  if (!dated.test(notes())) found.push(`CHANGELOG.md has no line "## ${version} (DATE)".`);
  if (!read('git', 'tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`))
    found.push(`The tag v${version} does not point to this commit.`);
  return found;
}

/** Returns the reasons why this version cannot be published. These checks take seconds, and run before all long steps. */
function publishingObstacles() {
  const found = [];
  const undecided = Object.keys(owner).filter((field) => /OWNER/.test(owner[field]));
  if (undecided.length > 0) found.push(`build/owner.json has placeholders: ${undecided.join(', ')}.`);
  if (!isTagged) found.push(...findPushObstacle());
  return [...found, ...findNameObstacle()];
}

/** Checks that the commit and the tag can be pushed: the network works, and this user is signed in and has the rights. Returns the
 * obstacle, if there is one. */
function findPushObstacle() {
  const args = ['push', '--dry-run', '--quiet', 'origin', 'HEAD', `HEAD:refs/tags/v${version}`];
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  const { status, stderr } = spawnSync('git', args, { encoding: 'utf8', timeout: 30_000, env });
  if (status === 0) return [];
  // For example " ! [rejected]  HEAD -> main (fetch first)", otherwise "fatal: …".
  const reason = /^ ! .*\((.*)\)$/m.exec(stderr)?.[1] ?? /^(?:fatal|error): (.*)/m.exec(stderr)?.[1];
  return [`Cannot push to origin: ${reason?.replace(/\.$/, '') ?? 'no answer within 30 s'}.`];
}

/** Checks that the name on npm is free or belongs to this project, and does not yet have this version. Returns the obstacle, if there is
 * one. */
function findNameObstacle() {
  const { name } = readManifest();
  const args = ['view', `${name}`, 'versions', 'repository.url', '--json'];
  const { status, stdout } = spawnSync('npm', args, { encoding: 'utf8', timeout: 30_000 });
  const answer = parseJson(stdout);
  if (answer?.error?.code === 'E404') return [];
  if (status !== 0) return ['The npm registry cannot be reached: npm ping.'];
  const url = answer?.['repository.url'] ?? '';
  if (url !== `git+${owner.repository}.git`)
    return [`The name ${name} on npm belongs to another project (${url}): choose a scope.`];
  return [answer.versions].flat().includes(version) && !isTagged
    ? [`npm already has ${name} ${version}.`]
    : [];
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Programs that make the artifacts, each with the Debian package that contains the program. */
const packagers = { 'dpkg-deb': 'dpkg', rpmbuild: 'rpm', strip: 'binutils', tar: 'tar' };

const readManifest = () => JSON.parse(readFileSync('package.json', 'utf8'));
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

/** Writes the date of the release to the changelog. */
function dateNotes() {
  const today = new Date().toISOString().slice(0, 10);
  print(`CHANGELOG.md: ${version} (${today})`);
  if (!isDry) writeFileSync('CHANGELOG.md', notes().replace(heading(), `## ${version} (${today})\n`));
}

async function writeAll() {
  // The hashes of artifacts depend on the versions of these programs.
  for (const program of Object.keys(packagers)) print(read(program, '--version').split('\n')[0]);
  execFileSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  // Imported after the build, because the module reads files that the build has written.
  const { writeArtifacts } = await import('./artifacts.mjs');
  await writeArtifacts(folder, (what) => print(`${folder}: ${what}`));
}

async function prepare() {
  step('npm', 'cit');
  step('npm', 'run', 'test:nodes');
  const before = read('git', 'rev-parse', 'HEAD');
  try {
    dateNotes();
    step('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
    step('git', 'commit', '--all', '--message', `Release ${version}`);
    // Artifacts are written after the commit, because they contain the time of the commit.
    await writeAll();
    step('git', 'tag', '--annotate', `v${version}`, '--message', `edgectl ${version}`);
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    if (!isDry) process.stderr.write(`Before another attempt: git reset --hard ${before}\n`);
    process.exitCode = 1;
    return;
  }
  print(
    isDry
      ? `Nothing was changed or published. Artifacts: ${folder}`
      : 'Next: git push --follow-tags, which starts the release workflow.',
  );
}

async function updateHashes() {
  execFileSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { writeHashes } = await import('./artifacts.mjs');
  await writeHashes(folder);
  print(`${folder}: hashes updated`);
}

const found = obstacles();
const later = found.length === 0 && !isSigned ? publishingObstacles() : [];
if (found.length > 0 || (!isDry && later.length > 0)) {
  process.stderr.write(`${[...found, ...later].join('\n')}\n`);
  process.exitCode = 2;
} else {
  for (const obstacle of later) print(`A real release would refuse: ${obstacle}`);
  if (isSigned) await updateHashes();
  else if (isTagged) await writeAll();
  else await prepare();
}
