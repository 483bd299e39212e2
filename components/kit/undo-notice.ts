import type { UndoService } from '../../src/services/console/undo.ts';

/** Returns the hint shown after a notice if the old value was saved for undo. */
export function undoHint(isSaved: boolean): string {
  return isSaved ? ' Press U to restore it.' : '';
}

/** Returns the end of a sentence about a deletion: whether undo can restore the data. */
export function undoNotice(service: UndoService | undefined): string {
  return service?.keeps
    ? 'are deleted too. Press U afterwards to restore them.'
    : 'are lost. This cannot be undone.';
}
