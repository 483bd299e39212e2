import { Problem } from '../../model/problem.ts';
import type { Failure, ManyReport } from '../../services/object-many.ts';
import { formatSize, groupDigits } from '../../text/size.ts';
import type { Fields, Output } from '../output.ts';

/** Failures that are told one by one. */
const toldFailures = 20;

/** A count with its noun: "1 object", "1,200 objects". */
export function countOf(count: number, noun: string): string {
  return `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Tells what became of many objects: one result line (`done` says it: "Stored 12 objects"), and each failure on
 * stderr. Throws partly-done when some failed beside others, and refused when all did.
 */
export async function concludeMany(
  output: Output,
  report: ManyReport,
  done: (objects: string) => string,
  fields: Fields,
): Promise<void> {
  const { failures, bytes } = report;
  tellFailures(output, failures);
  const line = `${done(countOf(report.done, 'object'))} (${formatSize(bytes)}).`;
  await output.result(line, {
    ...fields,
    done: report.done,
    bytes,
    failed: failures.map(({ name, problem }) => ({ key: name, message: problem.message })),
  });
  if (failures.length === 0) return;
  const code = report.done > 0 ? 'partly-done' : 'refused';
  throw new Problem(code, `${countOf(failures.length, 'object')} failed; the others are done.`, {
    hint: failures[0]?.problem.hint,
  });
}

function tellFailures(output: Output, failures: readonly Failure[]): void {
  for (const { name, problem } of failures.slice(0, toldFailures)) {
    output.warn(`"${name}": ${problem.message}`, { key: name });
  }
  const more = failures.length - toldFailures;
  if (more > 0) output.warn(`… and ${countOf(more, 'object')} more.`);
}
