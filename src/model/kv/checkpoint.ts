import * as v from 'valibot';
import type { IndexRange } from './index-ranges.ts';

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const checkpointShape = v.object({
  version: v.literal(1),
  /** The command, for example "bulk put", "bulk delete" or "copy". */
  operation: v.string(),
  /** The address of the destination namespace (`namespaceAddress`): base URL or folder, account and id. */
  target: v.string(),
  /** SHA-256 of the input's content. For a copy, SHA-256 of its source. */
  input: v.string(),
  /** Absolute path of the input, if the input is a file. */
  path: v.optional(v.string()),
  /** Number of entries in the input. */
  entries: v.optional(wholeNumber),
  /** Entries that the platform has confirmed, as ranges of indices in the input. */
  confirmed: v.array(v.tuple([wholeNumber, wholeNumber])),
  /** The last confirmed key of a copy. All keys up to this key are confirmed. */
  through: v.optional(v.string()),
  /** When the checkpoint was written, in milliseconds since the UNIX epoch. */
  updated: v.number(),
  /** Arguments that resume the command, for the user and the console. */
  resume: v.array(v.string()),
});

/** The progress of an interrupted command. Lists only entries that the platform has confirmed. Confirmed entries are never sent again. */
export interface Checkpoint {
  readonly version: 1;
  readonly operation: string;
  readonly target: string;
  readonly input: string;
  readonly path?: string | undefined;
  readonly entries?: number | undefined;
  readonly confirmed: readonly IndexRange[];
  readonly through?: string | undefined;
  readonly updated: number;
  readonly resume: readonly string[];
}

/** The fields that identify a checkpoint. */
export type CheckpointKey = Pick<Checkpoint, 'operation' | 'target' | 'input'>;

/** Parses the content of a checkpoint file; undefined if it is not a checkpoint of this version. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  try {
    return v.parse(checkpointShape, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns whether a checkpoint is for the same operation on the same file. Ignores the file's content. */
export function isSameFile(one: Checkpoint, key: CheckpointKey, path: string | undefined): boolean {
  return (
    path !== undefined && one.path === path && one.operation === key.operation && one.target === key.target
  );
}
