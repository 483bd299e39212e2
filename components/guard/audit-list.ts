import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry } from '../../src/model/guard/audit.ts';
import { onePage } from '../kit/pages.ts';
import type { Role } from '../kit/theme.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import type { TagOrder } from '../ui/lists/tag-menu.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { type Entry, entryLines, factEntries } from '../ui/viewer/entries.ts';

/** The columns of the audit log. The user cannot sort the rows: the newest row always comes first. */
export const declaredAuditColumns = declareColumns<AuditEntry>()(
  { AGO: 'unsorted', RESULT: 'unsorted', PROGRAM: 'unsorted', RULE: 'unsorted', NUMBER: 'unsorted' },
  { heading: 'REQUEST', by: formatAudited },
);

/** Returns the method and the route (or the path) of a request, with the name of its resource if known. */
export function formatAudited({ method, route, path, name }: AuditEntry): string {
  return `${method} ${route ?? path ?? ''}${name === undefined ? '' : `  ${name}`}`;
}

/** Returns the status of the response, or the outcome of a request without a response. */
export function formatResult({ outcome, status }: AuditEntry): string {
  return outcome === 'answered' ? String(status ?? '') : outcome;
}

export function resultRole({ outcome, status = 0 }: AuditEntry): Role {
  if (outcome === 'unknown') return 'warning';
  return outcome === 'refused' || status >= 400 ? 'fault' : 'plain';
}

const auditKind: RowKind<AuditEntry> = {
  getId: ({ number }) => String(number),
  getText: (entry) => `${formatAudited(entry)} ${entry.client} ${entry.rule} ${formatResult(entry)}`,
  order: 'as-listed',
  getTags: ({ outcome, client, effect }) => [outcome, `by ${client}`, `effect ${effect}`],
};

const outcomes = ['refused', 'unknown', 'answered'];

/** The groups and the order of the tags in the filter menu. The filter can combine one tag from each group: outcome, program and effect. */
export const auditTags: TagOrder = {
  getGroup(tag) {
    if (outcomes.includes(tag)) return 'outcome';
    return tag.startsWith('by ') ? 'program' : 'effect';
  },
  getLabel: (tag) => tag.replace(/^(?:by|effect) /, ''),
  getRank(tag) {
    const at = outcomes.indexOf(tag);
    if (at !== -1) return at;
    return outcomes.length + (tag.startsWith('by ') ? 0 : 1);
  },
};

/** Returns the list of the audit log, newest first. */
export function auditList(parts: PaneParts): ListController<AuditEntry> {
  const read = auditReader(parts);
  return new ListController<AuditEntry>(parts, {
    place: { kind: 'audit' },
    kind: auditKind,
    whole: true,
    pages: () => onePage(read()),
    rowChange: () => undefined,
    // Any change made in this console may have added a record.
    isOutdatedBy: () => true,
  });
}

/** Returns a function that reads the log, or returns the previous rows if the newest file has not changed: a large log is slow to read. */
function auditReader({ world }: Pick<PaneParts, 'world'>): () => Promise<readonly AuditEntry[]> {
  let last: { readonly state: string; readonly rows: readonly AuditEntry[] } | undefined;
  return async () => {
    const { auditFolder, currentFile } = await import('../../src/services/guard/audit-log.ts');
    const { listAudit } = await import('../../src/services/guard/read-audit.ts');
    const found = await stat(join(auditFolder(world), currentFile)).catch(() => undefined);
    const state = `${found?.ino} ${found?.size} ${found?.mtimeMs}`;
    if (last?.state !== state) last = { state, rows: (await listAudit(world)).toReversed() };
    return last.rows;
  };
}

/** Returns the fields of a record, one per line. */
export function auditEntries(entry: AuditEntry): Entry[] {
  return Object.entries(entry).flatMap(([name, value]) =>
    factEntries(name, String(value), name === 'outcome' ? { role: resultRole(entry) } : {}),
  );
}

/** Returns the preview of a record. */
export function auditPreview(entry: AuditEntry): Previewed {
  const entries = auditEntries(entry);
  return {
    id: `audit ${entry.number} ${entry.outcome}`,
    title: `Record ${entry.number}`,
    content: { counts: entry.outcome, lines: (surface) => entryLines(entries, surface) },
  };
}
