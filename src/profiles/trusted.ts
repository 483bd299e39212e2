import { join } from 'node:path';
import * as v from 'valibot';
import { readStoredText } from '../files/stored.ts';
import { Problem } from '../model/problem.ts';
import type { BoundProfile } from './bound.ts';

const shape = v.object({ profiles: v.optional(v.record(v.string(), v.string()), {}) });

/**
 * Returns whether the user has accepted the binding of a folder to a profile, for exactly this file and this profile. `folder` is the
 * configuration folder.
 */
export function isAccepted(folder: string, { path, name }: BoundProfile): boolean {
  return read(folder)[path] === name;
}

/** Records that the user has accepted the binding of a folder to a profile. */
export async function rememberAccepted(folder: string, { path, name }: BoundProfile): Promise<void> {
  const profiles = { ...read(folder), [path]: name };
  const { openStore, writeStore } = await import('./store.ts');
  writeStore(await openStore(), 'accepted-profiles', 'trusted', folder, { profiles });
}

function read(folder: string): Readonly<Record<string, string>> {
  const path = join(folder, 'trusted.json');
  const text = readStoredText('config-invalid', 'settings', 'accepted-profiles', path);
  if (text === undefined) return {};
  try {
    return v.parse(shape, JSON.parse(text)).profiles;
  } catch (error) {
    throw new Problem('config-invalid', `${path} cannot be used: ${(error as Error).message}.`, {
      cause: error,
      hint: 'Delete the file. edgectl then asks again for each folder.',
    });
  }
}
