// Writes to one folder everything that a release publishes: the npm package, executables, Debian and RPM packages, a Homebrew formula, a
// Scoop manifest, bills of materials, and SHA256SUMS. No other folder is changed, except `dist`, which is rebuilt.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { executableName, nodeBuilds, nodeLicense } from './node-builds.mjs';
import { bundledPackages } from './notices.mjs';
import { buildSeconds, distOptions } from './options.mjs';
import { sbomJson } from './sbom.mjs';

const run = promisify(execFile);
const { version, description } = JSON.parse(await readFile('package.json', 'utf8'));
const owner = JSON.parse(await readFile('build/owner.json', 'utf8'));
const env = { ...process.env, SOURCE_DATE_EPOCH: String(buildSeconds) };

/** The short description. Packages allow at most 80 characters. */
const synopsis = 'console and command line for operators of an edge platform';

/** The names that Debian and RPM use for the processors of the Node builds. */
const linuxPackages = {
  'linux-x64': { deb: 'amd64', rpm: 'x86_64' },
  'linux-arm64': { deb: 'arm64', rpm: 'aarch64' },
};

/** Writes all artifacts to a new folder, and reports each step. */
export async function writeArtifacts(folder, report) {
  const scratch = await mkdtemp(join(tmpdir(), 'edgectl-release-'));
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    report('npm package');
    await packForNpm(folder, scratch);
    report(`executables for ${Object.keys(nodeBuilds.platforms).join(', ')}`);
    await run(process.execPath, ['build/executable.mjs', '--all', folder], { env });
    await writeBills(folder);
    for (const [platform, names] of Object.entries(linuxPackages)) {
      report(`Debian and RPM packages for ${platform}`);
      const root = join(scratch, platform);
      await layOut(root, join(folder, `edgectl-${version}-${platform}`));
      await makeDeb(root, names.deb, folder);
      await makeRpm(root, names.rpm, folder, scratch);
    }
    report('Homebrew formula, Scoop manifest and SHA256SUMS');
    await writeIndexes(folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Rewrites the files that contain hashes of executables, after executables were signed. */
export async function writeHashes(folder) {
  await writeBills(folder);
  await writeIndexes(folder);
}

/** Writes a bill of materials for each executable. */
async function writeBills(folder) {
  const { metafile } = await build({ ...distOptions, write: false, metafile: true });
  const packages = await bundledPackages(Object.keys(metafile.inputs));
  for (const platform of Object.keys(nodeBuilds.platforms)) {
    const name = executableName(platform);
    const sha256 = await sha256Of(join(folder, name));
    await writeFile(join(folder, `${name}.cdx.json`), await sbomJson(packages, { name, sha256, platform }));
  }
}

async function writeIndexes(folder) {
  await writeFile(join(folder, 'edgectl.rb'), await formula(folder));
  await writeFile(join(folder, 'edgectl.json'), await scoopManifest(folder));
  await writeFile(join(folder, 'SHA256SUMS'), await sums(folder));
}

/**
 * Packs the npm package with the owner's values. The pictures in the README have absolute addresses, because npm shows no other pictures.
 */
async function packForNpm(folder, scratch) {
  const staged = join(scratch, 'npm');
  await mkdir(staged);
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], {
    env,
  });
  await run('tar', [
    'xzf',
    join(scratch, JSON.parse(stdout)[0].filename),
    '-C',
    staged,
    '--strip-components=1',
  ]);
  const manifest = JSON.parse(await readFile(join(staged, 'package.json'), 'utf8'));
  const { repository, homepage, bugs, author } = owner;
  const published = {
    ...manifest,
    ...{ author, homepage, bugs: { url: bugs }, repository: { type: 'git', url: `git+${repository}.git` } },
    publishConfig: { access: 'public', provenance: true },
  };
  delete published.scripts;
  delete published.devDependencies;
  delete published.allowScripts;
  await writeFile(join(staged, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const readme = await readFile(join(staged, 'README.md'), 'utf8');
  const raw = repository.replace('https://github.com/', 'https://raw.githubusercontent.com/');
  await writeFile(
    join(staged, 'README.md'),
    readme.replace(/\]\((docs\/pictures\/[^)]+)\)/g, `](${raw}/v${version}/$1)`),
  );
  await setModes(staged);
  await run('npm', ['pack', resolve(staged), '--ignore-scripts', '--pack-destination', resolve(folder)], {
    env,
  });
}

/** Writes the files of a Linux package below `root`. Their modification time is the time of the build. */
async function layOut(root, executable) {
  const put = async (path, from) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await (from.path === undefined ? writeFile(join(root, path), from) : cp(from.path, join(root, path)));
  };
  await put('usr/bin/edgectl', { path: executable });
  await chmod(join(root, 'usr/bin/edgectl'), 0o755);
  for (const page of await readdir('dist/man'))
    await put(`usr/share/man/man1/${page}`, { path: join('dist/man', page) });
  const completions = {
    bash: 'usr/share/bash-completion/completions/edgectl',
    zsh: 'usr/share/zsh/vendor-completions/_edgectl',
    fish: 'usr/share/fish/vendor_completions.d/edgectl.fish',
  };
  for (const [shell, path] of Object.entries(completions)) {
    await put(path, (await run(process.execPath, ['dist/edgectl.cjs', 'completion', shell])).stdout);
  }
  await put('usr/share/doc/edgectl/copyright', { path: 'LICENSE' });
  await put('usr/share/doc/edgectl/changelog.gz', gzipSync(debianChangelog(), { level: 9 }));
  await put('usr/share/doc/edgectl/THIRD-PARTY-NOTICES', { path: 'THIRD-PARTY-NOTICES' });
  await put('usr/share/doc/edgectl/LICENSE-node', await nodeLicense());
  await put('usr/share/doc/edgectl/sbom.cdx.json', { path: `${executable}.cdx.json` });
  await setModes(root);
  for (const entry of await readdir(root, { recursive: true }))
    await utimes(join(root, entry), buildSeconds, buildSeconds);
}

/**
 * Lets every user read a folder's files, and run the files that the owner may run. The umask of this process and of the checkout would
 * otherwise decide which files users of a package may read, and builds would differ.
 */
export async function setModes(root) {
  for (const entry of ['.', ...(await readdir(root, { recursive: true }))]) {
    const path = join(root, entry);
    const found = await stat(path);
    await chmod(path, found.isDirectory() || found.mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Returns the changelog in the format of Debian: https://www.debian.org/doc/debian-policy/ch-source.html#s-dpkgchangelog */
function debianChangelog() {
  const time = new Date(buildSeconds * 1000).toUTCString().replace('GMT', '+0000');
  const changes = `See ${owner.repository}/blob/v${version}/CHANGELOG.md.`;
  return `edgectl (${version}) unstable; urgency=medium\n\n  * ${changes}\n\n -- ${owner.maintainer}  ${time}\n`;
}

async function makeDeb(root, architecture, folder) {
  const control = join(root, 'DEBIAN');
  await mkdir(control);
  const bytes = await sizeOf(root);
  await writeFile(
    join(control, 'control'),
    [
      'Package: edgectl',
      `Version: ${version}`,
      `Architecture: ${architecture}`,
      `Maintainer: ${owner.maintainer}`,
      `Installed-Size: ${Math.ceil(bytes / 1024)}`,
      'Depends: libc6 (>= 2.28), libstdc++6, libatomic1',
      'Section: admin',
      'Priority: optional',
      `Homepage: ${owner.homepage}`,
      `Description: ${synopsis}`,
      // Lines of the long description have at most 80 characters, and begin with a space.
      `${description}.`.replace(/(.{1,78})(?: |$)/g, ' $1\n'),
    ].join('\n'),
  );
  await setModes(control);
  const file = resolve(folder, `edgectl_${version}_${architecture}.deb`);
  await run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', root, file], { env });
  await rm(control, { recursive: true });
}

async function makeRpm(root, architecture, folder, scratch) {
  await rm(join(root, 'usr/share/doc/edgectl/changelog.gz'));
  const zsh = join(root, 'usr/share/zsh');
  await rename(join(zsh, 'vendor-completions'), join(zsh, 'site-functions'));
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(root.length)).sort();
  const spec = join(scratch, `${architecture}.spec`);
  await writeFile(
    spec,
    [
      'Name: edgectl',
      `Version: ${version}`,
      'Release: 1',
      `Summary: ${synopsis}`,
      'License: MIT',
      `URL: ${owner.homepage}`,
      `Packager: ${owner.maintainer}`,
      'AutoReqProv: no',
      'Requires: glibc >= 2.28, libstdc++, libatomic',
      '%description',
      `${description}.`,
      '%install',
      `mkdir -p %{buildroot} && cp -a ${root}/. %{buildroot}/`,
      '%files',
      ...paths.map((path) => (/LICENSE|NOTICES|copyright/.test(path) ? `%license ${path}` : path)),
      '',
    ].join('\n'),
  );
  const defines = {
    _topdir: join(scratch, `rpm-${architecture}`),
    _rpmdir: resolve(folder),
    _rpmfilename: `edgectl-${version}-1.${architecture}.rpm`,
    _buildhost: 'localhost',
    _build_id_links: 'none',
    _binary_payload: 'w1.xzdio',
    debug_package: '%{nil}',
    __os_install_post: '%{nil}',
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
  };
  const defined = Object.entries(defines).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  await run('rpmbuild', ['-bb', '--target', architecture, ...defined, spec], { env });
}

async function sizeOf(root) {
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const sizes = await Promise.all(
    files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const download = (name) => `${owner.repository}/releases/download/v${version}/${name}`;

/** Returns the formula for Homebrew: https://docs.brew.sh/Formula-Cookbook */
async function formula(folder) {
  const source = async (platform) => {
    const name = executableName(platform);
    return `      url "${download(name)}"\n      sha256 "${await sha256Of(join(folder, name))}"`;
  };
  const groups = (await readdir('dist/man'))
    .flatMap((page) => /^edgectl-(\w+)\./.exec(page)?.[1] ?? [])
    .join(' ');
  return `class Edgectl < Formula
  desc "Console and script tool for operators of an edge platform"
  homepage "${owner.homepage}"
  version "${version}"
  license "MIT"

  on_macos do
    on_arm do
${await source('darwin-arm64')}
    end
    on_intel do
${await source('darwin-x64')}
    end
  end

  on_linux do
    on_arm do
${await source('linux-arm64')}
    end
    on_intel do
${await source('linux-x64')}
    end
  end

  def install
    bin.install Dir["edgectl-*"].first => "edgectl"
    generate_completions_from_executable(bin/"edgectl", "completion")
    (man1/"edgectl.1").write Utils.safe_popen_read(bin/"edgectl", "man")
    %w[${groups}].each { |group| (man1/"edgectl-#{group}.1").write Utils.safe_popen_read(bin/"edgectl", "man", group) }
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/edgectl --version").strip
  end
end
`;
}

/** Returns the manifest for Scoop: https://github.com/ScoopInstaller/Scoop/wiki/App-Manifests */
async function scoopManifest(folder) {
  const name = executableName('win32-x64');
  const manifest = {
    version,
    description,
    homepage: owner.homepage,
    license: 'MIT',
    architecture: {
      '64bit': { url: `${download(name)}#/edgectl.exe`, hash: await sha256Of(join(folder, name)) },
    },
    bin: 'edgectl.exe',
    checkver: { github: owner.repository },
    autoupdate: {
      architecture: {
        '64bit': { url: `${download(name).replaceAll(version, '$version')}#/edgectl.exe` },
      },
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

async function sums(folder) {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').sort();
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256Of(join(folder, name))}  ${name}\n`),
  );
  return lines.join('');
}

async function sha256Of(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
