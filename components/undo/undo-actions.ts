import { describeThing } from '../../src/model/undo/entry.ts';
import type { UndoRow } from '../../src/services/console/undo.ts';
import { restoreCost } from '../../src/services/undo/facts.ts';
import { describePlace } from '../../src/services/undo/restore.ts';
import type { RestoredThing } from '../../src/services/undo/restored-thing.ts';
import type { Change } from '../kit/changes.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { deleting } from '../kit/keys/busy.ts';
import { cannotWriteSelected, moveShortcuts, noSelection, whileBusy } from '../kit/keys/conditions.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ActionResult, Dialog, PaneOutcome, Work } from '../ui/forms/dialog.ts';

/** The input of the actions: the selected entry, the number of entries, and the parts of the pane. */
interface Here {
  readonly row: UndoRow | undefined;
  readonly count: number;
  readonly parts: PaneParts;
}

/** The actions of the undo journal. */
export const undoActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  {
    does: 'restore',
    press: ['enter'],
    label: 'restore',
    about: 'Restore the deleted or replaced item, with metadata and expiry, after confirmation',
    unless: cannotWriteSelected,
    run: ({ row, parts }) => row && offerRestore(row, parts),
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'forget',
    about: 'Forget the entry after confirmation; it can then no longer be restored',
    danger: 'permanent',
    unless: cannotForget,
    run: ({ row, parts }) => row && { dialog: forgetDialog(row, parts) },
  },
  {
    does: 'filter',
    press: ['/'],
    label: 'filter',
    about: 'Show only names that contain a string',
    quietIn: ({ empty }) => empty === true,
  },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy id',
    about: 'Copy the id of the entry, for edgectl undo',
    unless: noSelection,
    run: ({ row, parts }) => row && { notice: parts.copy(Buffer.from(row.entry.id), 'the id') },
  },
  {
    does: 'remove-done',
    press: ['ctrl+x'],
    label: 'forget all',
    about: 'Forget the entries of all profiles, after confirmation',
    danger: 'permanent',
    unless: cannotForget,
    run: ({ count, parts }) => ({ dialog: forgetAllDialog(count, parts) }),
  },
  { does: 'refresh', press: ['r'], label: 'reload', about: 'Reload the list and keep the selection' },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, then go back',
  },
  ...moveShortcuts,
];

/**
 * Returns why the entry cannot be forgotten now; false if it can be forgotten. A read-only session can forget entries, because the journal
 * is local.
 */
function cannotForget(situation: Situation): string | false {
  return noSelection(situation) || whileBusy(situation);
}

/** Asks whether to restore an entry, or names the account or sandbox where the entry can be restored. */
function offerRestore(row: UndoRow, parts: PaneParts): PaneOutcome {
  if (row.isHere) return { dialog: restoreDialog(row, parts) };
  const place = describePlace(row.entry);
  return { refusal: `This entry was saved on ${place}, and can be restored only on ${place}.` };
}

/** Returns the question that asks whether to restore an entry. `more` contains sentences to show first. */
export function restoreDialog(row: UndoRow, parts: PaneParts, more: readonly string[] = []): Dialog<Work> {
  const { thing, did, at } = row.entry;
  const question = {
    question: `Restore ${describeThing(thing)}?`,
    lost: [
      ...more,
      `It was ${did} at ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC.`,
      ...restoreCost(row.entry),
    ],
    danger: 'change' as const,
    yes: 'restore it',
  };
  const command = restoreWork(row, { force: false, withoutExpiry: false }, parts);
  return { kind: 'confirm', question, command };
}

/** The checks that the user has chosen to override. */
interface RestoreOverrides {
  readonly force: boolean;
  readonly withoutExpiry: boolean;
}

/**
 * Returns the work that restores an entry and closes the pane. If the current state differs, or the entry's expiry has passed, asks first.
 */
function restoreWork(row: UndoRow, overrides: RestoreOverrides, parts: PaneParts): Work {
  const { entry } = row;
  return {
    busy: { kind: 'writing', words: 'restoring it' },
    row: entry.id,
    async run(signal) {
      const restored = await requireService(parts, 'undo').restore(entry, overrides, signal);
      if (restored.outcome !== 'restored') {
        const isOther = restored.outcome === 'other';
        const insisted = isOther ? { ...overrides, force: true } : { ...overrides, withoutExpiry: true };
        const command = restoreWork(row, insisted, parts);
        return {
          dialog: isOther ? replaceDialog(restored.why, command) : expiredDialog(restored.why, command),
        };
      }
      const change = await toChange(restored.what, parts, signal);
      const note = restored.note === undefined ? '' : ` ${restored.note}`;
      return { change, notice: `Restored ${describeThing(entry.thing)}.${note}`, closesPane: true };
    },
  };
}

function replaceDialog(why: string, command: Work): Dialog<Work> {
  const question = {
    question: 'The current state is different. Overwrite it with the saved state?',
    lost: [why, 'The current state is saved for undo.'],
    danger: 'undoable' as const,
    yes: 'overwrite the current state',
  };
  return { kind: 'confirm', question, command };
}

function expiredDialog(why: string, command: Work): Dialog<Work> {
  const question = {
    question: 'Restore the entry without an expiry?',
    lost: [why],
    danger: 'change' as const,
    yes: 'restore without an expiry',
  };
  return { kind: 'confirm', question, command };
}

/** Returns the change to announce, so that lists show the restored item. */
async function toChange(
  what: RestoredThing,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<Change | undefined> {
  const { services, changes } = parts;
  switch (what.kind) {
    case 'value': {
      const { namespaceId, entry } = what;
      return { changed: 'key', namespaceId, name: entry.name, entry };
    }
    case 'object': {
      const { bucket, entry } = what;
      return { changed: 'object', bucket, key: entry.key, entry };
    }
    case 'hostname': {
      const { zoneId, record } = what;
      try {
        const row = await services.hostnames?.read(zoneId, record.id, signal);
        return row && { changed: 'hostname', zoneId, id: record.id, row };
      } catch (error) {
        // The hostname was restored, but the user pressed Esc while the hostname was reread: other panes must reread the zone.
        if (signal.aborted) return { changed: 'zone', zoneId };
        throw error;
      }
    }
    case 'dns-record': {
      const { zoneId, record } = what;
      return { changed: 'record', zoneId, id: record.id, record };
    }
    case 'fallback-origin':
      return { changed: 'zone', zoneId: what.zoneId };
    case 'batch':
      for (const thing of what.things) {
        const change = await toChange(thing, parts, signal);
        if (change !== undefined) changes.announce(change);
      }
      return undefined;
  }
}

function forgetDialog(row: UndoRow, parts: PaneParts): Dialog<Work> {
  const { entry } = row;
  const question = {
    question: `Forget ${describeThing(entry.thing)}, which was ${entry.did}?`,
    lost: ['The entry can then no longer be restored.'],
    danger: 'permanent' as const,
    yes: 'forget the entry',
  };
  const command: Work = {
    busy: deleting,
    row: entry.id,
    async run() {
      await requireService(parts, 'undo').forget(entry);
      return { notice: `Forgot ${describeThing(entry.thing)}.`, outdated: true };
    },
  };
  return { kind: 'confirm', question, command };
}

function forgetAllDialog(count: number, parts: PaneParts): Dialog<Work> {
  const question = {
    question: `Forget ${count === 1 ? 'the only undo entry' : `all ${count} undo entries`}?`,
    lost: ['Nothing can then be restored, in any profile.'],
    danger: 'permanent' as const,
    yes: 'forget all',
  };
  const command: Work = {
    busy: deleting,
    async run() {
      const { deleted, newer } = await requireService(parts, 'undo').forgetAll();
      const entries = deleted === 1 ? '1 undo entry' : `${deleted} undo entries`;
      const remaining =
        newer === 0
          ? ''
          : ` Kept ${newer === 1 ? '1 entry' : `${newer} entries`} that a newer version of edgectl wrote.`;
      return { notice: `Forgot ${entries}.${remaining}`, outdated: true };
    },
  };
  return { kind: 'confirm', question, command };
}
