import { join } from 'node:path';
import { readStoredText } from '../../files/stored.ts';
import { AuditCheck, AuditEntries, type AuditEntry, parseAuditLine } from '../../model/guard/audit.ts';
import type { World } from '../../world.ts';
import { auditFolder, currentFile, listRotated } from './audit-log.ts';

/** A line of the audit log, with its position. */
interface PlacedLine {
  readonly file: string;
  /** Line number in the file, starting at 1. */
  readonly at: number;
  readonly text: string;
}

/** Reads all lines of the log, oldest first. Refuses an untrusted file, and a file written by a newer edgectl. */
export async function* readAuditLines(world: Pick<World, 'folders'>): AsyncGenerator<PlacedLine> {
  const folder = auditFolder(world);
  for (const name of [...listRotated(folder), currentFile]) {
    const file = join(folder, name);
    const text = readStoredText('store-invalid', 'audit', 'audit-log', file) ?? '';
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const [index, line] of lines.entries()) yield { file, at: index + 1, text: line };
  }
}

/** Returns all requests in the log with their outcomes, oldest first. */
export async function listAudit(world: Pick<World, 'folders'>): Promise<AuditEntry[]> {
  const entries = new AuditEntries();
  for await (const { text } of readAuditLines(world)) {
    const line = parseAuditLine(text);
    if (line !== undefined) entries.add(line);
  }
  return entries.list();
}

/** Checks that no record was changed, inserted, or removed from between other records. */
export async function verifyAudit(world: Pick<World, 'folders'>): Promise<AuditCheck> {
  const check = new AuditCheck();
  for await (const { file, at, text } of readAuditLines(world)) check.add(file, at, text);
  check.finish();
  return check;
}

/** Milliseconds between two reads of the log while following it. */
const followMs = 500;

/** Reports each new request, and reports it again with its outcome, until the program is interrupted. */
export async function followAudit(
  world: Pick<World, 'folders' | 'sleep' | 'interrupted'>,
  report: (entry: AuditEntry) => Promise<void>,
): Promise<void> {
  const entries = new AuditEntries();
  let seen: number | undefined;
  while (!world.interrupted.aborted) {
    let last = seen ?? 0;
    for await (const { text } of readAuditLines(world)) {
      const line = parseAuditLine(text);
      if (line === undefined || line.number <= (seen ?? 0)) continue;
      last = Math.max(last, line.number);
      const entry = entries.add(line);
      if (seen !== undefined && entry !== undefined) await report(entry);
    }
    seen = last;
    await world.sleep(followMs, world.interrupted).catch(() => undefined);
  }
}
