import type { UndoService } from '../../src/services/console/undo.ts';

/** Returns the hint to append to a notice; empty unless the old value was saved for undo. */
export function undoHint(isSaved: boolean): string {
  return isSaved ? ' Press U to restore it.' : '';
}

/** Returns the predicate of a sentence whose subject is the data to delete. The predicate states whether undo can restore the data. */
export function undoNotice(service: UndoService | undefined): string {
  return service?.keeps
    ? 'will be deleted too. Press U afterwards to restore them.'
    : 'will be lost. This cannot be undone.';
}
