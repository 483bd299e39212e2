import type { KeyEntry } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import { type KeyChange, type KeyConflict, type Written, writeKey } from '../../../services/kv/key-change.ts';
import type { NewValue } from '../../../services/kv/kv.ts';
import { shellWord } from '../../../text/shell.ts';
import type { UndoRecorder } from '../undo/undo-recorder.ts';
import type { OpenNamespace } from './namespace-choice.ts';

/** Whether a write keeps the key's stored metadata and expiry. */
export interface PreservedParts {
  readonly metadata: boolean;
  readonly expiry: boolean;
}

/** A key's metadata and expiry before a write; undefined if the token cannot list keys. */
export type Before = KeyEntry | 'absent' | undefined;

/** Writes a value, and returns the previous state of the key. */
export type Write = (
  namespace: OpenNamespace,
  key: string,
  entry: NewValue,
  keep: PreservedParts,
) => Promise<Before>;

/**
 * Returns a function that writes a key. If `text` is given, it must be a SHA-256; the function then throws `conflict` unless the stored
 * value has this SHA-256. If `keeping` is given, the function saves the old value for undo.
 */
export function changingWriter(text: string | undefined, keeping: UndoRecorder | undefined): Write {
  const sha256 = text?.toLowerCase();
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) {
    throw new Problem(
      'usage',
      `--if-unchanged must be a SHA-256 hash (64 hexadecimal digits), not "${text}".`,
      {
        hint: 'Use the field sha256 from: edgectl kv key get KEY --json',
      },
    );
  }
  return async ({ session, id }, key, { value, ttl, expiration, metadata, anyKey = false }, keep) => {
    const expiry = { ...(ttl !== undefined && { ttl }), ...(expiration !== undefined && { expiration }) };
    const change: KeyChange = {
      key,
      value,
      expiry: keep.expiry ? 'kept' : expiry,
      metadata: keep.metadata ? 'kept' : { json: metadata },
      basis: sha256 === undefined ? undefined : { sha256 },
    };
    const options = { anyKey, signal: session.world.interrupted, whole: true };
    const written = await (keeping === undefined
      ? writeKey(session, id, change, options)
      : writeKeeping({ session, id }, change, options, keeping));
    if (written.outcome === 'conflict') throw otherNow(key, id, written);
    return written.before;
  };
}

async function writeKeeping(
  { session, id }: OpenNamespace,
  change: KeyChange,
  options: { readonly anyKey: boolean; readonly signal: AbortSignal },
  keeping: UndoRecorder,
): Promise<Written> {
  const { writeKeyWithUndo } = await import('../../../services/undo/values.ts');
  const { written, entry } = await writeKeyWithUndo(session, id, change, options);
  keeping.report(entry);
  return written;
}

function otherNow(key: string, id: string, { sha256 }: KeyConflict): Problem {
  if (sha256 === undefined) {
    return new Problem(
      'conflict',
      `Key "${key}" no longer exists in namespace id ${id}; nothing was written.`,
      { hint: 'To create the key again, omit --if-unchanged.' },
    );
  }
  return new Problem(
    'conflict',
    `The value of key "${key}" has changed: its SHA-256 is now ${sha256}; nothing was written.`,
    { hint: `Read the value again and use its sha256: edgectl kv key get ${shellWord(key)} --json` },
  );
}
