import * as v from 'valibot';
import type { IndexRange } from './index-ranges.ts';

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const checkpointShape = v.object({
  version: v.literal(1),
  /** The command: "bulk put", "bulk delete", "copy". */
  operation: v.string(),
  /** The address of the namespace that is written to (`namespaceAddress`): base URL or folder, account and id. */
  target: v.string(),
  /** SHA-256 of the input's content; of a copy, its source. */
  input: v.string(),
  /** Absolute path of the input, where it has one. */
  path: v.optional(v.string()),
  /** Entries of the input. */
  entries: v.optional(wholeNumber),
  /** Entries that the platform has confirmed, by their index in the input. */
  confirmed: v.array(v.tuple([wholeNumber, wholeNumber])),
  /** Of a copy: everything up to this key is confirmed. */
  through: v.optional(v.string()),
  /** Milliseconds since the UNIX epoch. */
  updated: v.number(),
  /** Arguments that continue it, for people and for the console. */
  resume: v.array(v.string()),
});

/**
 * How far an interrupted command had come. Entries that it names as confirmed are never sent again; it names none that
 * the platform has not confirmed.
 */
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

/** The fields by which a checkpoint is found. */
export type CheckpointKey = Pick<Checkpoint, 'operation' | 'target' | 'input'>;

/** Parses a file's text; undefined when it is no checkpoint of this version. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  try {
    return v.parse(checkpointShape, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether a checkpoint is about the same work on the same file, whatever its content was. */
export function isSameFile(one: Checkpoint, key: CheckpointKey, path: string | undefined): boolean {
  return (
    path !== undefined && one.path === path && one.operation === key.operation && one.target === key.target
  );
}
