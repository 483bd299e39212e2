import { thingWords } from '../../src/model/undo/entry.ts';
import type { UndoRow, UndoService } from '../../src/services/console/undo.ts';
import { escapeText } from '../../src/text/escape.ts';
import { onePage } from '../kit/pages.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowsOf } from '../ui/lists/list-state.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import { restoreDialog } from './undo-actions.ts';
import { unkeptSince } from './unkept.ts';

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
export class UndoController extends ListController<RowsOf<UndoRow>> {
  readonly #parts: PaneParts;
  readonly #service: UndoService;

  constructor(parts: PaneParts) {
    const service = serviceOf(parts, 'undo');
    super(parts, {
      kind: undoKind,
      whole: true,
      pages: (_, signal) => onePage(readRows(service, parts, signal)),
      rowOf: () => undefined,
      // Whatever is changed may have left an entry.
      isOutdatedBy: () => true,
    });
    this.#parts = parts;
    this.#service = service;
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
          this.ask(restoreDialog(last, this.#parts, unkept === undefined ? [] : [`Since then: ${unkept}`]));
        else if (unkept !== undefined) this.#parts.notify(unkept, 'refused');
      },
      failed: () => undefined,
    });
  }
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
