import { thingWords } from '../../src/model/undo/entry.ts';
import type { UndoRow, UndoService } from '../../src/services/console/undo.ts';
import { restoreCost } from '../../src/services/undo/facts.ts';
import { type PutBack, placeWords } from '../../src/services/undo/restore.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Change } from '../kit/changes.ts';
import { deleting } from '../kit/keys/busy.ts';
import { onePage } from '../kit/pages.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Dialog } from '../ui/forms/dialog.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { ListOutcome } from '../ui/lists/list-source.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import type { UndoAction } from './keymap.ts';
import { unkeptSince } from './unkept.ts';

/** Puts one entry back, or forgets what is kept. */
type UndoCommand =
  | {
      readonly does: 'restore';
      readonly row: UndoRow;
      readonly force: boolean;
      readonly withoutExpiry: boolean;
    }
  | { readonly does: 'forget'; readonly row: UndoRow }
  | { readonly does: 'forget-all' };

type RestoreCommand = Extract<UndoCommand, { does: 'restore' }>;

/** The list of what can be put back. */
interface UndoParts {
  readonly row: UndoRow;
  readonly command: UndoCommand;
  readonly purpose: never;
  readonly subject: never;
}

/** They stay in the order of the journal. */
export const declaredUndoColumns = declareColumns<UndoRow>()(
  { AGO: 'unsorted', WAS: 'unsorted', SIZE: 'unsorted', WHERE: 'unsorted' },
  { heading: 'WHAT', by: ({ entry }) => thingWords(entry.thing) },
);

const undoKind: RowKind<UndoRow> = {
  idOf: ({ entry }) => entry.id,
  textOf: ({ entry }) => thingWords(entry.thing),
  order: 'as-listed',
};

/** The journal, the newest first; it opens with the question about the last change that was made here. */
export class UndoController extends ListController<UndoParts> {
  readonly #parts: PaneParts;
  readonly #service: UndoService;

  constructor(parts: PaneParts) {
    const service = serviceOf(parts, 'undo');
    super(parts, {
      kind: undoKind,
      whole: true,
      pages: (_, signal) => onePage(readRows(service, parts, signal)),
      busyWith: {
        restore: { kind: 'writing', words: 'putting it back' },
        forget: deleting,
        'forget-all': deleting,
      },
      carryOut: (command, signal) => carryOut(command, service, parts, signal),
      readForm: () => ({ errors: {} }),
      rowOf: () => undefined,
      // Whatever is changed may have left an entry.
      isOutdatedBy: () => true,
    });
    this.#parts = parts;
    this.#service = service;
  }

  /** Asks whether an entry is to be put back, or says where that can be done. */
  offer({ entry, isHere }: UndoRow): void {
    if (isHere) this.ask(restoreDialog({ entry, isHere }));
    else
      this.#parts.notify(
        `Taken away on ${escapeText(placeWords(entry))}: only there it is put back.`,
        'refused',
      );
  }

  protected override begin(): void {
    super.begin();
    this.run({
      name: 'last',
      work: (signal) => this.#service.list(signal),
      done: ({ rows }) => {
        // What the reader has asked for meanwhile is not taken away from under the answer.
        if (this.state.dialog !== undefined) return;
        const last = rows.find(({ entry, isHere }) => isHere && entry.did !== 'restored');
        const unkept = unkeptSince(last?.entry.at ?? 0, this.#parts);
        if (last !== undefined && !this.#parts.session.readOnly)
          this.ask(restoreDialog(last, unkept === undefined ? [] : [`Since then: ${unkept}`]));
        else if (unkept !== undefined) this.#parts.notify(unkept, 'refused');
      },
      failed: () => undefined,
    });
  }
}

/** Actions of the pane's keys. */
export function undoActions(list: UndoController, parts: PaneParts): OwnActions<UndoAction> {
  const row = list.selected;
  return {
    restore: () => row && list.offer(row),
    remove: () => row && list.ask(forgetDialog(row)),
    'remove-done': () => list.ask(forgetAllDialog(list.list.rows.length)),
    copy: () => row && parts.notify(parts.copy(Buffer.from(row.entry.id), 'the id')),
  };
}

async function readRows(
  service: UndoService,
  { notify }: PaneParts,
  signal: AbortSignal,
): Promise<readonly UndoRow[]> {
  const { rows, skipped } = await service.list(signal);
  if (skipped.length > 0) notify(skipped.map((sentence) => escapeText(sentence)).join(' '), 'refused');
  return rows;
}

/** `more`: sentences in front of the others. */
function restoreDialog(row: UndoRow, more: readonly string[] = []): Dialog<UndoCommand, never, never> {
  const { thing, did, at } = row.entry;
  const question = {
    question: `Put back ${escapeText(thingWords(thing))}?`,
    lost: [
      ...more,
      `It was ${did} at ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC.`,
      ...restoreCost(row.entry),
    ],
    yes: 'put it back',
  };
  return { kind: 'confirm', question, command: { does: 'restore', row, force: false, withoutExpiry: false } };
}

function forgetDialog(row: UndoRow): Dialog<UndoCommand, never, never> {
  const question = {
    question: `Forget ${escapeText(thingWords(row.entry.thing))}, which was ${row.entry.did}?`,
    lost: ['It cannot be put back any more.'],
    yes: 'forget it',
  };
  return { kind: 'confirm', question, command: { does: 'forget', row } };
}

function forgetAllDialog(count: number): Dialog<UndoCommand, never, never> {
  const question = {
    question: `Forget ${count === 1 ? 'the one entry' : `all ${count} entries`} of undo?`,
    lost: ['Nothing of it can be put back any more, in no profile.'],
    yes: 'forget all',
  };
  return { kind: 'confirm', question, command: { does: 'forget-all' } };
}

async function carryOut(
  command: UndoCommand,
  service: UndoService,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ListOutcome<UndoParts>> {
  switch (command.does) {
    case 'restore':
      return putBack(command, service, parts, signal);
    case 'forget':
      await service.forget(command.row.entry);
      return { notice: `Forgot ${escapeText(thingWords(command.row.entry.thing))}.`, outdated: true };
    case 'forget-all': {
      const count = await service.forgetAll();
      return { notice: `Forgot ${count === 1 ? '1 entry' : `${count} entries`} of undo.`, outdated: true };
    }
  }
}

async function putBack(
  command: RestoreCommand,
  service: UndoService,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ListOutcome<UndoParts>> {
  const { entry } = command.row;
  const restored = await service.restore(entry, command, signal);
  if (restored.outcome !== 'restored') return { dialog: insistDialog(command, restored) };
  const change = await changeOf(restored.what, parts, signal);
  if (change !== undefined) parts.changes.tell(change);
  parts.notify(`Put back ${escapeText(thingWords(entry.thing))}.`);
  parts.back();
  return {};
}

/** Asks once more, with what stands in the way. */
function insistDialog(
  command: RestoreCommand,
  { outcome, why }: { readonly outcome: 'other' | 'expired'; readonly why: string },
): Dialog<UndoCommand, never, never> {
  const isOther = outcome === 'other';
  const question = {
    question: isOther
      ? 'Something else is there now. Put it back over that?'
      : 'Put it back without an expiry?',
    lost: [escapeText(why), ...(isOther ? ['What is there now is kept for undo in its turn.'] : [])],
    yes: isOther ? 'put it back over what is there' : 'put it back without an expiry',
  };
  const insisted = isOther ? { ...command, force: true } : { ...command, withoutExpiry: true };
  return { kind: 'confirm', question, command: insisted };
}

/** For the lists that show it. */
async function changeOf(
  what: PutBack,
  { services }: PaneParts,
  signal: AbortSignal,
): Promise<Change | undefined> {
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
      const row = await services.hostnames?.read(zoneId, record.id, signal);
      return row && { changed: 'hostname', zoneId, id: record.id, row };
    }
    case 'dns-record': {
      const { zoneId, record } = what;
      return { changed: 'record', zoneId, id: record.id, record };
    }
    case 'fallback-origin':
      return { changed: 'zone', zoneId: what.zoneId };
  }
}
