import type { UndoService } from '../../src/services/console/undo.ts';

/** The words behind a notice of something that was kept. */
export function keptWords(kept: boolean): string {
  return kept ? ' Press U to restore it.' : '';
}

/** The end of a sentence about a delete: whether it can be restored. */
export function fateWords(service: UndoService | undefined): string {
  return service?.keeps ? 'go with it. Press U afterwards to restore it.' : 'are lost. There is no undo.';
}
