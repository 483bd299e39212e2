import type { UndoService } from '../../src/services/console/undo.ts';

/** Returns the hint that follows a notice if the old value was saved for undo. */
export function undoHint(isSaved: boolean): string {
  return isSaved ? ' Press U to restore it.' : '';
}

/** Returns the end of a sentence about a delete: whether it can be undone. */
export function undoNotice(service: UndoService | undefined): string {
  return service?.keeps
    ? 'are deleted too. Press U afterwards to restore them.'
    : 'are lost. This cannot be undone.';
}
