import * as v from 'valibot';
import { certificateAuthorities, validationMethods } from '../hostnames/hostname.ts';
import { progressUnits } from '../progress.ts';
import { severities } from '../severity.ts';

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const target = v.picklist(['production', 'preview', 'local']);
const baseUrl = v.optional(v.string());
const where = v.variant('kind', [
  v.object({ kind: v.literal('remote'), profile: v.optional(v.string()), baseUrl: v.string() }),
  v.object({ kind: v.literal('sandbox'), folder: v.string(), baseUrl }),
  v.object({ kind: v.literal('local'), folder: v.string(), baseUrl }),
]);
const namespace = v.object({ id: v.string(), title: v.string() });
const zone = v.object({ id: v.string(), name: v.string() });
const replace = v.picklist(['skip', 'replace']);

/** Changes to many hostnames. An empty origin removes the custom origin. */
const hostnameWishes = v.object({
  method: v.optional(v.picklist(validationMethods)),
  authority: v.optional(v.picklist(['default', ...certificateAuthorities])),
  minimumTls: v.optional(v.string()),
  origin: v.optional(v.string()),
  originSni: v.optional(v.string()),
});

/**
 * The work of a task, by kind. The keys, objects, folders or hostnames that the user marked for a task are stored separately
 * (`services/tasks/files.ts`). Paths are absolute.
 */
const workShape = v.variant('does', [
  v.object({
    does: v.literal('import-keys'),
    namespace,
    path: v.string(),
    skipInvalid: v.boolean(),
    /** SHA-256 of the content that the preview showed. A file with other content is not imported. */
    fingerprint: v.optional(v.string()),
  }),
  /** `replace`: whether the file existed when the task was started, and the user agreed to overwrite it. */
  v.object({ does: v.literal('export-keys'), namespace, path: v.string(), replace: v.optional(v.boolean()) }),
  v.object({ does: v.literal('delete-keys'), namespace }),
  /** Exports all keys that are in the namespace when the task reads it. */
  v.object({
    does: v.literal('export-namespace'),
    namespace,
    path: v.string(),
    replace: v.optional(v.boolean()),
  }),
  /** Deletes all keys that the first run lists, but not the namespace itself. */
  v.object({ does: v.literal('clear-namespace'), namespace }),
  /** `expiration` is in UNIX seconds; null means never. */
  v.object({ does: v.literal('expire-keys'), namespace, expiration: v.nullable(wholeNumber) }),
  v.object({
    does: v.literal('copy-keys'),
    namespace,
    /** `place` identifies the account or data of the other target and profile when the task was started. */
    to: v.object({
      target: v.optional(target),
      profile: v.optional(v.string()),
      namespace,
      place: v.optional(v.string()),
    }),
    onConflict: v.picklist(['skip', 'overwrite', 'fail']),
  }),
  /** Uploads a file, or all files below a folder. `key` is the file's key, or the prefix for the folder's files. */
  v.object({
    does: v.literal('upload'),
    bucket: v.string(),
    path: v.string(),
    key: v.string(),
    contentType: v.optional(v.string()),
    existing: replace,
    undo: v.optional(v.boolean()),
  }),
  /**
   * Downloads one object to the file `path`, or many objects to files below the folder `path`. The path of each file is the part of its
   * object's key after `prefix`.
   */
  v.object({
    does: v.literal('download'),
    bucket: v.string(),
    prefix: v.string(),
    path: v.string(),
    single: v.boolean(),
    existing: replace,
  }),
  /**
   * Copies one object to the key `key`, or many objects below the prefix `key`. The name of each copy is the part of its object's key after
   * `prefix`.
   */
  v.object({
    does: v.literal('copy-objects'),
    bucket: v.string(),
    prefix: v.string(),
    to: v.object({ bucket: v.string(), key: v.string() }),
    single: v.boolean(),
    existing: replace,
  }),
  /** `undo`: whether to save a single object in the undo journal before deleting it. */
  v.object({ does: v.literal('delete-objects'), bucket: v.string(), undo: v.optional(v.boolean()) }),
  v.object({ does: v.literal('delete-bucket'), bucket: v.string() }),
  /**
   * Syncs a folder and a prefix. The marked items are the steps that the user confirmed. `remove`: whether to delete items that exist only
   * in the destination.
   */
  v.object({
    does: v.literal('sync-objects'),
    bucket: v.string(),
    prefix: v.string(),
    path: v.string(),
    direction: v.picklist(['upload', 'download']),
    remove: v.boolean(),
  }),
  v.object({ does: v.literal('delete-hostnames'), zone }),
  v.object({ does: v.literal('refresh-hostnames'), zone }),
  v.object({ does: v.literal('edit-hostnames'), zone, wishes: hostnameWishes }),
  v.object({ does: v.literal('diagnose-hostnames'), zone }),
  /** If nothing is marked, the task exports all hostnames of the zone. */
  v.object({
    does: v.literal('export-hostnames'),
    zone,
    path: v.string(),
    replace: v.optional(v.boolean()),
  }),
  /** Plans the changes that a file requires, and saves the plan. `limit` is the maximum number of deletions when the plan is applied. */
  v.object({
    does: v.literal('plan-hostnames'),
    zone,
    path: v.string(),
    prune: v.boolean(),
    limit: v.optional(wholeNumber),
  }),
  /** Applies the plan with this hash, which the user confirmed. */
  v.object({ does: v.literal('reconcile-hostnames'), zone, path: v.string(), hash: v.string() }),
]);

/** The work of a task, by kind. */
export type TaskWork = v.InferOutput<typeof workShape>;

export type TaskKind = TaskWork['does'];

/**
 * The states of a task. `stopping`: requests in flight are finishing. `stopped`: stopped by the user. `interrupted`: the console was
 * closed. `partly`: some items failed and can be retried. `failed`: the task could not continue.
 */
const states = [
  'waiting',
  'running',
  'stopping',
  'done',
  'partly',
  'failed',
  'stopped',
  'interrupted',
] as const;
export type TaskState = (typeof states)[number];

const taskShape = v.object({
  version: v.literal(1),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
  work: workShape,
  /** Number of marked items. */
  marked: wholeNumber,
  /** The target that the console showed when the task was started. */
  target,
  /** The profile and the account, for people. */
  profileName: v.string(),
  where: v.fallback(v.optional(where), undefined),
  actor: v.optional(v.object({ profile: v.optional(v.string()), accountId: v.optional(v.string()) })),
  accountLabel: v.string(),
  /** The address of the account on which the task acts (`namespaceAddress`); unknown before the first run. */
  place: v.optional(v.string()),
  state: v.picklist(states),
  runs: wholeNumber,
  /** When the task was started, in milliseconds since the UNIX epoch. */
  started: v.number(),
  /** When the last run began and ended, in milliseconds since the UNIX epoch. */
  begun: v.optional(v.number()),
  ended: v.optional(v.number()),
  progress: v.optional(
    v.object({
      phase: v.string(),
      unit: v.picklist(progressUnits),
      done: v.number(),
      total: v.optional(v.number()),
      retries: v.number(),
      failed: v.number(),
    }),
  ),
  /** The result of the task, as a sentence. */
  outcome: v.optional(v.string()),
  /** The failure that ended the last run, with advice. */
  problem: v.optional(v.object({ code: v.string(), message: v.string(), hint: v.optional(v.string()) })),
  failed: v.object({
    count: wholeNumber,
    first: v.pipe(v.array(v.object({ name: v.string(), reason: v.string() })), v.readonly()),
  }),
  /** The faults that a diagnosis found: the number of faulty hostnames, and the most severe faults. */
  faults: v.optional(
    v.object({
      count: wholeNumber,
      total: wholeNumber,
      first: v.pipe(
        v.array(v.object({ hostname: v.string(), severity: v.picklist(severities), cause: v.string() })),
        v.readonly(),
      ),
    }),
  ),
  /** Warnings, newest last. */
  warnings: v.pipe(v.array(v.string()), v.readonly()),
  /** The last retry or delay of a request, as a message. */
  note: v.optional(v.string()),
  /** The completed part of the task's list of objects, as ranges of indices. */
  confirmed: v.pipe(v.array(v.pipe(v.tuple([wholeNumber, wholeNumber]), v.readonly())), v.readonly()),
  /** The process that runs the task. The start time distinguishes the process from a later process with the same id. */
  owner: v.optional(v.object({ pid: v.number(), start: v.optional(v.string()) })),
});

/** A long operation that the user started in the console, and its progress. Strings may be untrusted data. */
export type Task = Readonly<v.InferOutput<typeof taskShape>>;

/** A key, object or hostname that a task could not process, and the error. */
export type TaskFailure = Task['failed']['first'][number];

/**
 * The profile and account of a task, if they were chosen in the console; undefined for the profile and account with which the console was
 * opened.
 */
export type TaskActor = NonNullable<Task['actor']>;

/** Parses a task file; undefined if this version of edgectl does not support the file. */
export function parseTask(text: string): Task | undefined {
  try {
    return v.parse(taskShape, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns whether a task is running or waiting to run. */
export function isActive({ state }: Pick<Task, 'state'>): boolean {
  return state === 'waiting' || state === 'running' || state === 'stopping';
}

/** Returns whether a task can be resumed. A resumed task runs only the unfinished part. */
export function isResumable({ state }: Pick<Task, 'state'>): boolean {
  return state === 'partly' || state === 'failed' || state === 'stopped' || state === 'interrupted';
}

/** Returns whether a task changes data on the platform. */
export function isPlatformChange(work: TaskWork): boolean {
  return work.does === 'sync-objects' ? work.direction === 'upload' : !readingKinds.has(work.does);
}

const readingKinds: ReadonlySet<TaskKind> = new Set<TaskKind>([
  'export-keys',
  'export-namespace',
  'download',
  'diagnose-hostnames',
  'export-hostnames',
  'plan-hostnames',
]);

/** Returns the namespaces, buckets or zones that a task uses. Tasks that share any of them run one after another. */
export function listSubjects(work: TaskWork): string[] {
  if ('zone' in work) return [`zone ${work.zone.id}`];
  if ('bucket' in work) {
    const other = work.does === 'copy-objects' ? [`bucket ${work.to.bucket}`] : [];
    return [`bucket ${work.bucket}`, ...other];
  }
  const other = work.does === 'copy-keys' ? [`namespace ${work.to.namespace.id}`] : [];
  return [`namespace ${work.namespace.id}`, ...other];
}
