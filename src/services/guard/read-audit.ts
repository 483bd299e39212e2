import { join } from 'node:path';
import { readTrusted } from '../../files/trust-problems.ts';
import { checkFormat, versionBytes } from '../../model/formats.ts';
import {
  AuditCheck,
  AuditEntries,
  type AuditEntry,
  type PlacedLine,
  parseAuditLine,
} from '../../model/guard/audit.ts';
import type { World } from '../../world.ts';
import { auditFolder, currentFile, listRotated } from './audit-log.ts';

/** Reads all lines of the log, oldest first. Refuses an untrusted file, and a file written by a newer edgectl. */
export async function* readAuditLines(world: Pick<World, 'folders'>): AsyncGenerator<PlacedLine> {
  const folder = auditFolder(world);
  for (const name of [...listRotated(folder), currentFile]) {
    const file = join(folder, name);
    const bytes = readTrusted('store-invalid', 'audit', file);
    if (bytes === undefined) continue;
    checkFormat('audit-log', file, bytes.toString('utf8', 0, versionBytes), 'store-invalid');
    let at = 0;
    for (const line of splitLines(bytes)) {
      at += 1;
      yield { file, at, bytes: line, text: line.toString('utf8') };
    }
  }
}

/**
 * Splits a file into lines, without their line breaks. Yields bytes instead of strings, because an incomplete line can end inside a
 * character.
 */
function* splitLines(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\n', start);
    yield bytes.subarray(start, end === -1 ? bytes.length : end);
    start = end === -1 ? bytes.length : end + 1;
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

/** Checks that no record was changed or inserted, and that no record between two other records was removed. */
export async function verifyAudit(world: Pick<World, 'folders'>): Promise<AuditCheck> {
  const check = new AuditCheck();
  for await (const line of readAuditLines(world)) check.add(line);
  check.finish();
  return check;
}

/** Time between two reads of a followed log, in milliseconds. */
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
