// Lists the third-party code in dist: THIRD-PARTY-NOTICES with every license, and an SBOM in CycloneDX 1.6. Both documents are generated
// from the bundler's inputs and are therefore complete.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sbomJson } from './sbom.mjs';

/** Writes both files to the root of the package. `inputs` are the paths of all bundled files. */
export async function writeNotices(inputs) {
  const packages = await bundledPackages(inputs);
  await writeFile('THIRD-PARTY-NOTICES', noticesOf(distinct(packages)));
  await writeFile('sbom.cdx.json', await sbomJson(packages));
}

/** Returns the packages whose code is bundled, each with its folder, version, license and license text. */
export async function bundledPackages(inputs) {
  const folders = [...new Set(inputs.map(folderOf).filter((folder) => folder !== undefined))].sort();
  return Promise.all(folders.map(readPackage));
}

/** Returns the folder of the package of a bundled file, such as `node_modules/a/node_modules/@b/c`. */
export function folderOf(input) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

async function readPackage(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder))
    .filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file))
    .sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (typeof license !== 'string') throw new Error(`${folder} names no licence in its package.json`);
  const text = texts.map((one) => one.trim()).join('\n\n');
  return {
    folder,
    name,
    version,
    license,
    author: nameOf(author),
    text: text || (await licenceInReadme(folder)) || standardText(license, author, name),
  };
}

/** Returns the name of an author in package.json. The author is an object, or a string that may contain an address. */
function nameOf(author) {
  const text = typeof author === 'object' ? author?.name : author;
  return text?.replace(/\s*[<(].*$/, '');
}

/**
 * Returns the license text from the README of a package, or an empty string. Some packages contain the text only in the README; others only
 * name the license in package.json.
 */
async function licenceInReadme(folder) {
  const names = (await readdir(folder)).filter((file) => /^readme/i.test(file));
  const readme = names[0] === undefined ? '' : await readFile(join(folder, names[0]), 'utf8');
  return /^#+\s*licen[cs]e[^\n]*\n([\s\S]*?)(?=\n#+\s|$)/im.exec(readme)?.[1]?.trim() ?? '';
}

/** Returns the text of a license that a package names but does not contain. */
function standardText(license, author, name) {
  const holder = nameOf(author) ?? `the authors of ${name}`;
  if (license === 'MIT') return mitText(holder);
  throw new Error(`${name} is licensed under ${license}, but contains no license text: add the text here`);
}

function mitText(holder) {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}

function distinct(packages) {
  const all = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...all.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function noticesOf(packages) {
  const head = [
    'The files in dist contain code of these packages. Each package has its own license.',
    '',
    ...packages.map(({ name, version, license }) => `  ${name} ${version} (${license})`),
  ];
  const rule = '-'.repeat(80);
  const bodies = [...Map.groupBy(packages, (one) => termsOf(one.text).key).values()].map((same) => {
    const owners = same.map((one) => [`${one.name} ${one.version}`, ...termsOf(one.text).owners].join('\n'));
    return `${rule}\n${owners.join('\n\n')}\n\n${termsOf(same[0].text).terms}\n`;
  });
  return `${head.join('\n')}\n\n${bodies.join('\n')}`;
}

/**
 * Splits a license into the copyright and the terms, which are printed once for all packages with the same terms. `key` ignores
 * insignificant differences: line breaks, quotation marks and the license's title.
 */
function termsOf(text) {
  const lines = text.split(/\r?\n/);
  const isOwner = (line) => /^[\s*]*(?:copyright\b(?! (?:notice|holder|owner))|\(c\)|©)/i.test(line);
  const terms = lines
    .filter((line) => !isOwner(line))
    .join('\n')
    .trim()
    .replace(/\n{3,}/g, '\n\n');
  const key = terms
    .replace(/^\W*(?:the )?(?:mit|isc|bsd)[^\n]*\n/i, '')
    .replace(/[\s"'“”*#_]+/g, ' ')
    .trim();
  return { owners: lines.filter(isOwner).map((line) => line.trim()), terms, key: key.toLowerCase() };
}
