import { readFileSync } from 'node:fs';
import { Problem, type ProblemCode } from '../model/problem.ts';
import type { Doubt } from './found.ts';

/** Why something is not believed, as words that follow its path: "belongs to ann (user id 1000)". */
export function doubtWords(doubt: Doubt): string {
  switch (doubt.fault) {
    case 'owner':
      return `belongs to ${userName(doubt.owner)}`;
    case 'mode':
      return `is open to other users (mode ${(doubt.mode & 0o777).toString(8)})`;
    case 'link':
      return 'is a symbolic link';
    case 'kind':
      return `is not a ${doubt.wanted}`;
    case 'size':
      return `is longer than ${doubt.limit / 1024} KiB`;
  }
}

/** The refusal of a file of edgectl's own that is not believed. */
export function notBelieved(code: ProblemCode, doubt: Doubt): Problem {
  const hints = {
    owner: 'Delete it, or change its owner, if it is yours.',
    mode: `Check what it contains, then remove the permissions of others: chmod go-rwx ${doubt.path}`,
  };
  const hint =
    doubt.fault === 'owner' || doubt.fault === 'mode'
      ? hints[doubt.fault]
      : 'Delete or rename it if you did not make it.';
  return new Problem(code, `${doubt.path} ${doubtWords(doubt)}; it is not read.`, { hint });
}

function userName(uid: number): string {
  try {
    const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
    const name = rows.map((row) => row.split(':')).find((fields) => fields[2] === String(uid))?.[0];
    if (name !== undefined) return `${name} (user id ${uid})`;
  } catch {
    // The number identifies the user too.
  }
  return `the user with the id ${uid}`;
}
