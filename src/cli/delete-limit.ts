import { Problem } from '../model/problem.ts';
import { groupDigits } from '../text/size.ts';
import type { Flags } from './parsing/declaration.ts';

/** The flag of commands that delete everything that a filter, a prefix or a sync selects. */
export const limitFlag = {
  limit: {
    kind: 'number',
    placeholder: 'N',
    about: 'Maximum number of items to delete; if more are selected, delete nothing',
  },
} as const satisfies Flags;

/** The flag of mass deletions whose dry run prints a hash for confirmation. */
export const confirmFlag = {
  confirm: {
    kind: 'text',
    placeholder: 'HASH',
    about: 'Delete without confirmation, but only what the --dry-run with this hash showed',
  },
} as const satisfies Flags;

interface LimitFlags {
  readonly limit?: number | undefined;
  readonly confirm?: string | undefined;
  readonly yes: boolean;
}

/**
 * Rejects an invalid limit, and a mass deletion with --yes but without a limit. Without a question, only the limit (or the hash of a dry
 * run) protects against a filter that matches too much. `other` is the hint for a mass deletion without a limit.
 */
export function checkDeleteLimit(
  { limit, confirm, yes }: LimitFlags,
  isMass: boolean,
  other = 'Add --limit N, or run the command with --dry-run to get a hash, and then with --confirm HASH.',
): void {
  if (limit !== undefined && limit < 0)
    throw new Problem('usage', `--limit must be at least 0, not ${limit}.`);
  if (!yes || !isMass || (limit ?? confirm) !== undefined) return;
  throw new Problem(
    'usage',
    '--yes requires --limit here, because no confirmation shows the number of deletions.',
    {
      hint: other,
    },
  );
}

/** Rejects --confirm on a command line that names what it deletes, or that is a dry run. */
export function checkConfirm(confirm: string | undefined, isMass: boolean, isDry: boolean): void {
  if (confirm === undefined || (isMass && !isDry)) return;
  throw new Problem(
    'usage',
    isDry
      ? '--confirm and --dry-run cannot be used together: --dry-run prints the hash for --confirm.'
      : '--confirm works only with deletions whose --dry-run prints a hash. This command line names exactly what it deletes, so omit --confirm.',
  );
}

/** Returns the flags that confirm a mass deletion of this size in advance. */
export function massDeleteFlags(count: number): string {
  return `--yes --limit ${count}`;
}

/** Rejects deleting more than the limit. `noun` is the singular: "key". */
export function refuseOverLimit(count: number, noun: string, limit: number | undefined): void {
  if (limit === undefined || count <= limit) return;
  const what = `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`;
  const message = `${what} would be deleted, more than --limit ${limit}; nothing was changed.`;
  throw new Problem('not-confirmed', message, {
    hint: 'Check what would be deleted. If that is correct, raise the limit.',
  });
}
