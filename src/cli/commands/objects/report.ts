import { pathFault } from '../../../model/objects/path.ts';
import { Problem } from '../../../model/problem.ts';
import type { LeftOut } from '../../../services/objects/folder.ts';
import type { Failure, ManyReport } from '../../../services/objects/many.ts';
import { failureJson } from '../../../text/problem.ts';
import { formatSize, groupDigits } from '../../../text/size.ts';
import type { Fields, Output } from '../../output/output.ts';

/** Maximum number of failures to list. */
const maxListed = 20;

/** Formats a count with its noun: "1 object", "1,200 objects". */
export function formatCount(count: number, noun: string): string {
  return `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Reports the result for many objects: one line (from `done`: "Stored 12 objects"), and the first failures on stderr. Throws `partly-done`
 * if some objects failed, and `refused` if all objects failed. Unchanged objects (`same`) count as done.
 */
export async function concludeMany(
  output: Output,
  report: ManyReport & { readonly same?: number },
  done: (objects: string) => string,
  fields: Fields,
): Promise<void> {
  const { failures, bytes } = report;
  tellFailures(output, failures);
  const line = `${done(formatCount(report.done, 'object'))} (${formatSize(bytes)}).`;
  await output.result(line, {
    ...fields,
    done: report.done,
    bytes,
    failed: failures.map((failure) => failedObject(output, failure)),
  });
  if (failures.length === 0) return;
  const partly = report.done + (report.same ?? 0) > 0;
  const failed = `${formatCount(failures.length, 'object')} failed`;
  throw new Problem(
    partly ? 'partly-done' : 'refused',
    `${failed}; ${partly ? 'the others' : 'none'} succeeded.`,
    {
      hint: failures[0]?.problem.hint,
      remedy: failures[0]?.problem.remedy,
    },
  );
}

/** Converts a failure to its JSON answer. */
export function failedObject({ words }: Output, { name, problem }: Failure) {
  return { key: name, error: failureJson(problem, words) };
}

/** Warns about skipped entries in a folder or prefix, and lists the first of them. */
export function tellLeftOut(output: Output, place: string, leftOut: readonly LeftOut[]): void {
  if (leftOut.length === 0) return;
  output.warn(`Skipped entries in ${place}: ${leftOut.length}.`, { leftOut });
  if (output.json) return;
  for (const { name, why } of leftOut.slice(0, maxListed)) output.warn(`  "${name}": ${why}.`);
  const more = leftOut.length - maxListed;
  if (more > 0) output.warn(`  … and ${groupDigits(more)} more.`);
}

/** Warns about keys that a recursive download cannot write as files. `relative` is the path below the folder. */
export function warnOfPaths(
  output: Output,
  keys: readonly { readonly key: string; readonly relative: string }[],
): void {
  const faults = keys.flatMap(({ key, relative }) => {
    const fault = pathFault(relative, false);
    return fault === undefined ? [] : [{ key, fault }];
  });
  for (const { key, fault } of faults.slice(0, maxListed)) {
    output.warn(
      `"${key}" cannot be downloaded with --recursive (${fault}). Download the object separately with --file.`,
      {
        key,
      },
    );
  }
  const more = faults.length - maxListed;
  if (more > 0) output.warn(`… and ${formatCount(more, 'such key')} more.`);
}

function tellFailures(output: Output, failures: readonly Failure[]): void {
  for (const { name, problem } of failures.slice(0, maxListed)) {
    output.warn(`"${name}": ${problem.message}`, { key: name });
  }
  const more = failures.length - maxListed;
  if (more > 0) output.warn(`… and ${formatCount(more, 'object')} more.`);
}
