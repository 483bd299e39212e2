import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { ownUid } from '../../liveness.ts';
import { Problem } from '../../model/problem.ts';

/**
 * The folder of local data beside a configuration or in the working directory: `.edgectl/state` below `base`. Nobody has
 * named it, so it must be what it seems: refuses one that is a link or no folder, and one that belongs to somebody else
 * than the user (`uid`) or root. One that is missing is fine.
 */
export function foundFolder(base: string, uid = ownUid()): string {
  const top = join(base, '.edgectl');
  const folder = join(top, 'state');
  for (const path of [top, folder]) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) break;
    check(path, found, folder, uid);
  }
  return folder;
}

function check(path: string, found: Stats, folder: string, uid: number | undefined): void {
  const remedy = { kind: 'name-local-folder', folder } as const;
  if (!found.isDirectory()) {
    const what = found.isSymbolicLink() ? 'a symbolic link' : 'no folder';
    throw new Problem(
      'store-invalid',
      `${path} is ${what}; local data that nobody named are not looked for behind it.`,
      {
        remedy,
      },
    );
  }
  if (uid === undefined || found.uid === uid || found.uid === 0) return;
  throw new Problem(
    'store-invalid',
    `${path} belongs to ${userName(found.uid)}, not to you; it is not used unless it is named.`,
    {
      remedy,
    },
  );
}

function userName(uid: number): string {
  try {
    const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
    const name = rows.map((row) => row.split(':')).find((fields) => fields[2] === String(uid))?.[0];
    if (name !== undefined) return `${name} (user id ${uid})`;
  } catch {
    // The number says it as well.
  }
  return `the user with the id ${uid}`;
}
