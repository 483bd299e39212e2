import { Problem } from '../model/problem.ts';
import { type Deletion, findDifference, saveDeletion } from '../services/deletions.ts';
import { groupDigits } from '../text/size.ts';
import type { World } from '../world.ts';

/** Returns the hash that confirms the result of a dry run; undefined if nothing would be deleted. */
export async function confirmationHash(world: World, deletion: Deletion): Promise<string | undefined> {
  if (deletion.count === 0) return undefined;
  await saveDeletion(world, deletion);
  return deletion.hash;
}

/** Describes the hash of a dry run. */
export function describeHash(hash: string): string {
  return `To delete exactly this, replace --dry-run with --confirm ${hash}`;
}

/**
 * Returns whether --confirm confirms the deletion, so that no question is needed. Rejects the hash of a different deletion, and reports
 * the difference.
 */
export function isConfirmed(world: World, typed: string | undefined, deletion: Deletion): boolean {
  if (typed === undefined) return false;
  if (typed.toLowerCase() === deletion.hash) return true;
  const count = groupDigits(deletion.count);
  const differs = describeDifference(world, typed.toLowerCase(), deletion);
  throw new Problem(
    'not-confirmed',
    `The deletion differs from --confirm ${typed}: ${differs}${count} would be deleted now. Nothing was changed.`,
    { hint: 'To see what would be deleted, and its hash, use --dry-run instead of --confirm.' },
  );
}

function describeDifference(world: World, typed: string, deletion: Deletion): string {
  const difference = /^[0-9a-f]{12}$/.test(typed) ? findDifference(world, typed, deletion) : undefined;
  if (difference === undefined) return '';
  const { added, gone, changed } = difference;
  const parts = [
    ...(added.length === 0 ? [] : [`added since: ${formatFirst(added)}`]),
    ...(gone.length === 0 ? [] : [`deleted since: ${formatFirst(gone)}`]),
    ...(changed.length === 0 ? [] : [`changed: ${formatFirst(changed)}`]),
  ];
  // If the items are the same, the dry run was for another account or resource.
  return parts.length === 0 ? 'the dry run was for another account or resource; ' : `${parts.join('; ')}; `;
}

function formatFirst(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${groupDigits(more)} more` : ''}`;
}
