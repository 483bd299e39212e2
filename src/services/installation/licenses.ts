import { readFile } from 'node:fs/promises';
import { Problem } from '../../model/problem.ts';
import { packageFile } from './package-file.ts';

/**
 * The names of the license files. Only the executable contains Node.js and its license.
 */
const files = ['LICENSE', 'THIRD-PARTY-NOTICES', 'LICENSE-node'] as const;

/** Returns the license of edgectl and the notices of all software that this installation contains. */
export async function readLicenses(): Promise<string> {
  const sea = await import('node:sea');
  const texts = sea.isSea()
    ? files.map((name) => sea.getAsset(name, 'utf8'))
    : await Promise.all(files.slice(0, 2).map(readFromPackage));
  return texts.map((text) => `${text.trimEnd()}\n`).join(`\n${'='.repeat(80)}\n\n`);
}

async function readFromPackage(name: string): Promise<string> {
  const path = await packageFile(name);
  if (path === undefined) {
    throw new Problem('refused', `This installation does not contain the file ${name}.`, {
      remedy: { kind: 'install-package' },
    });
  }
  return readFile(path, 'utf8');
}
