// Bills of materials in CycloneDX 1.6, generated and validated with the standard's own library. Two builds of the same commit have equal
// bills.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { nodeBuilds } from './node-builds.mjs';
import { buildSeconds } from './options.mjs';

const spec = Spec.Spec1dot6;

/**
 * Returns the bill of materials as JSON. `packages` are the packages whose code is contained, each with its folder. `artifact` is the file
 * that contains the packages, if the file is known: its name, its SHA-256, and Node's platform if the file contains Node. Throws if the
 * result does not fit the schema of CycloneDX.
 */
export async function sbomJson(packages, artifact) {
  const { name, version, license, description } = JSON.parse(await readFile('package.json', 'utf8'));
  const { packages: locked } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const root = component(Enums.ComponentType.Application, {
    name,
    version,
    license,
    purl: `pkg:npm/${name}@${version}`,
  });
  root.description = description;
  if (artifact?.sha256 !== undefined) root.hashes.set(Enums.HashAlgorithm['SHA-256'], artifact.sha256);
  const { author, homepage } = JSON.parse(await readFile(join('build', 'owner.json'), 'utf8'));
  const bom = new Models.Bom({ version: 1 });
  bom.metadata.supplier = new Models.OrganizationalEntity({ name: author, url: [homepage] });
  bom.metadata.component = root;
  bom.metadata.timestamp = new Date(buildSeconds * 1000);
  for (const tool of ['esbuild', '@cyclonedx/cyclonedx-library']) {
    bom.metadata.tools.tools.add(
      new Models.Tool({ name: tool, version: locked[`node_modules/${tool}`].version }),
    );
  }
  const parts = componentsByFolder(packages);
  for (const [folder, part] of parts) {
    const { integrity, dependencies = {} } = locked[folder];
    if (integrity?.startsWith('sha512-')) {
      part.hashes.set(
        Enums.HashAlgorithm['SHA-512'],
        Buffer.from(integrity.slice(7), 'base64').toString('hex'),
      );
    }
    for (const dependency of Object.keys(dependencies)) {
      const found = parts.get(resolveFrom(folder, dependency, locked));
      if (found !== undefined) part.dependencies.add(found.bomRef);
    }
    bom.components.add(part);
    root.dependencies.add(part.bomRef);
  }
  if (artifact?.platform !== undefined) {
    const node = nodeComponent(artifact.platform);
    bom.components.add(node);
    root.dependencies.add(node.bomRef);
  }
  return serialized(bom, artifact?.name ?? name);
}

/** Returns the bill as JSON. The serial number is a UUID of the content (RFC 9562, version 8), so equal bills have equal numbers. */
async function serialized(bom, subject) {
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(spec));
  const options = { sortLists: true, space: 2 };
  const digest = createHash('sha256')
    .update(subject)
    .update(serializer.serialize(bom, options))
    .digest('hex');
  const variant = ((Number.parseInt(digest[16], 16) & 3) | 8).toString(16);
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    variant + digest.slice(17, 20),
  ];
  bom.serialNumber = `urn:uuid:${[...uuid, digest.slice(20, 32)].join('-')}`;
  const json = `${serializer.serialize(bom, options)}\n`;
  const fault = await new Validation.JsonStrictValidator(spec.version).validate(json);
  if (fault !== null)
    throw new Error(`The bill of materials of ${subject} does not fit CycloneDX: ${JSON.stringify(fault)}`);
  return json;
}

/** Returns the components by folder. Copies of the same version in several folders are one component. */
function componentsByFolder(packages) {
  const byPurl = new Map(
    packages.map((one) => [
      purlOf(one),
      component(Enums.ComponentType.Library, { ...one, purl: purlOf(one) }),
    ]),
  );
  return new Map(packages.map((one) => [one.folder, byPurl.get(purlOf(one))]));
}

function component(type, { name, version, license, author, purl }) {
  const [, group, short = name] = /^@([^/]+)\/(.+)$/.exec(name) ?? [];
  const made = new Models.Component(type, short, {
    bomRef: purl,
    version,
    ...(group && { group: `@${group}` }),
    ...(author && { author }),
  });
  made.purl = purl;
  made.licenses.add(licenseOf(license));
  return made;
}

/** Returns the component for Node from the npm package. The archives of nodejs.org contain the same program, with a different
 * compression. */
function nodeComponent(platform) {
  const { version, platforms } = nodeBuilds;
  const { package: name, integrity } = platforms[platform];
  const node = component(Enums.ComponentType.Platform, {
    name: 'node',
    version,
    license: 'MIT',
    purl: `pkg:npm/${name}@${version}`,
  });
  node.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(integrity.slice(7), 'base64').toString('hex'));
  return node;
}

/** Returns the package URL of an npm package. The @ of a scope is percent-encoded (package-url/purl-spec). */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

/** Returns a license: a single license by its SPDX id; `MIT OR Apache-2.0` is an expression. */
function licenseOf(license) {
  return /[\s()]/.test(license) ? new Models.LicenseExpression(license) : new Models.SpdxLicense(license);
}

/** Returns the folder in which Node finds a package that another package imports, with the folder's name in the lock file. */
function resolveFrom(folder, name, locked) {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (locked[path] !== undefined || at === '') return path;
  }
}
