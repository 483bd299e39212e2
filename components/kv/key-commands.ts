import type { KeyChange, WholeKey } from '../../src/services/kv/key-change.ts';

/** The purpose of a form about a key. */
export type KeyFormPurpose = 'create' | 'edit' | 'expire';

/** A key as it was when a form or an editor was opened on it. */
export type KeySubject = WholeKey;

export interface KeyWrite extends KeyChange {
  readonly does: 'write';
  /** The value that the form was opened on, while nobody has seen what the new one changes in it. */
  readonly unseen?: Uint8Array | undefined;
}

/** Commands to the services about one key. */
export type KeyCommand =
  | KeyWrite
  | { readonly does: 'remove'; readonly key: string }
  | { readonly does: 'edit'; readonly key: string; readonly purpose: 'edit' | 'expire' }
  /** Opens the editor; a text that is not stored yet is asked about first. */
  | { readonly does: 'edit-outside'; readonly key: string }
  /** Opens the editor on the text that is not stored yet. */
  | { readonly does: 'edit-draft'; readonly key: string }
  /** Forgets that text. */
  | { readonly does: 'discard'; readonly key: string };
