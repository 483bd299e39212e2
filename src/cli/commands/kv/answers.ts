import { type EffectName, keyEffects } from '../../../model/kv/bulk.ts';
import { keyComparisonFields, namespaceDifference } from '../../../model/kv/difference-shape.ts';
import { namespace, namespaceFields, namespaceId } from '../../../model/kv/kv-shape.ts';
import {
  anyOf,
  anything,
  bool,
  count,
  list,
  map,
  nullable,
  number,
  type OptionalShape,
  object,
  oneOf,
  only,
  optional,
  text,
  texts,
  time,
} from '../../../model/shape.ts';
import { value, valueOrLines } from '../../output/answer-shape.ts';
import { undoId } from '../undo/answers.ts';

const id = namespaceId;
const title = text('Title of the namespace');
const target = text('Description of where the command acted');
const preview = bool('Whether the namespace is the preview namespace of the binding');

const boundEntry = object({
  binding: text('Name of the binding'),
  environment: optional(text('Environment in the configuration; absent at the top level')),
  keys: texts('Fields of the entry that contain the id of the namespace: id, preview_id'),
  place: text('File and line'),
});

const created = {
  ...namespaceFields,
  binding: text('Binding name for the configuration file'),
  preview,
  created: bool('False if --if-not-exists found an existing namespace with this title'),
};

const expiration = optional(time('When the key expires; absent if the key does not expire'));
const metadata = optional(anything('Metadata of the key; absent if the key has none'));

const key = object({
  name: text('The key'),
  expiration,
  metadata: optional(anything('Metadata of the key; only with --metadata, and only if the key has metadata')),
});

const keyValue = object({
  key: text('The key'),
  value: text('Value of the key; base64-encoded if base64 is true'),
  base64: optional(only(true, 'Present if the value is not UTF-8 text')),
  sha256: text('SHA-256 of the value, for kv key put --if-unchanged'),
  expiration,
  metadata,
});

const samples = 'The first affected keys';

/** Fields of a command on many keys. */
const bulk = {
  namespaceId: id,
  target,
  entries: count('Number of entries in the input'),
  earlier: count('Number of entries completed by the interrupted run that this run resumed'),
  repeated: count('Number of entries skipped because a later entry has the same key'),
  invalid: count('Number of invalid entries skipped with --skip-invalid'),
  expired: count('Number of entries skipped because they expire within a minute'),
  failed: count('Number of entries that the platform did not accept'),
  failedKeys: texts(samples),
  finished: bool('Whether the command completed without failed entries'),
};
const bulkPut = object({ ...bulk, written: count('Number of entries written by this run') });
const bulkDelete = object({ ...bulk, deleted: count('Number of keys deleted by this run') });

const effectNames = Object.keys(keyEffects) as readonly EffectName[];

/** Number of keys by effect. */
const effectCounts = Object.fromEntries(
  effectNames.map((name) => [name, optional(count(`Number of keys that ${keyEffects[name]}; absent if 0`))]),
) as Readonly<Record<EffectName, OptionalShape<number>>>;

/** The answer of a dry run. */
const dryRun = object({
  keys: optional(
    list(
      object({ key: text('The key'), effect: oneOf(effectNames, 'What would happen to the key') }),
      'With --verbose: each key',
    ),
  ),
  dryRun: only(true, 'Nothing was changed'),
  namespaceId: id,
  target,
  ...effectCounts,
  hash: optional(
    text('With kv bulk delete --prefix: the value of --confirm that deletes exactly these keys'),
  ),
});

/** An entry that kv bulk put accepts. */
const exported = object({
  key: text('The key'),
  value: text('Value of the key; base64-encoded if base64 is true'),
  base64: optional(bool('Whether the value is base64-encoded')),
  expiration: optional(number('When the key expires, in UNIX seconds')),
  metadata: optional(anything('Metadata of the key')),
});

export const kvAnswers = {
  'kv namespace create': value(
    anyOf([
      object({
        ...created,
        snippet: text('The entry to add to the configuration file, in the format of that file'),
      }),
      object({ ...created, updated: text('With --update-config: the configuration file that was updated') }),
    ]),
  ),
  'kv namespace list': value(list(namespace, 'All namespaces in the account')),
  'kv namespace rename': value(object({ id, title: text('The new title') })),
  'kv namespace delete': value(
    object({
      id,
      title,
      deleted: only(true, 'The namespace was deleted'),
      removed: optional(
        list(boundEntry, 'With --update-config: bindings removed from the configuration file'),
      ),
      left: optional(list(boundEntry, 'Bindings that still point to the namespace')),
    }),
  ),
  'kv namespace clear': value(anyOf([bulkDelete, dryRun])),
  'kv key put': value(
    object({
      key: text('The key'),
      namespaceId: id,
      target,
      size: count('Size of the value in bytes'),
      replaced: optional(bool('Whether the key existed before; absent if the token cannot list keys')),
      before: optional(object({ expiration, metadata })),
    }),
  ),
  'kv key list': value(list(key, 'Keys, sorted by their UTF-8 bytes')),
  'kv key get': value(anyOf([keyValue, key]), 'With --metadata, only name, expiration and metadata.'),
  'kv key delete': value(
    object({
      key: text('The key'),
      namespaceId: id,
      target,
      deleted: bool("Whether the key existed, according to the platform's list of keys"),
      undo: undoId,
    }),
  ),
  'kv key diff': value(
    object({
      key: text('Key on the left side'),
      toKey: text('Key on the right side'),
      same: bool('Whether both sides are the same'),
      ...keyComparisonFields,
    }),
  ),
  'kv bulk put': value(anyOf([bulkPut, dryRun])),
  'kv bulk get': value(
    map(
      nullable(
        anyOf([
          text('The value'),
          object({ base64: text('A value that is not UTF-8 text, base64-encoded') }),
        ]),
      ),
      'Values by key; null if the key does not exist',
    ),
  ),
  'kv bulk delete': value(anyOf([bulkDelete, dryRun])),
  'kv export': valueOrLines(
    anyOf([
      list(exported, 'Each key'),
      object({
        namespaceId: id,
        target,
        exported: count('Number of exported keys'),
        file: text('File that was written'),
        format: oneOf(['ndjson', 'json'], 'Format of the file'),
        lost: count('Number of keys whose value the platform lost'),
        lostKeys: texts(samples),
      }),
    ]),
    exported,
    'With --output, a summary of the file; with --format ndjson, one key per line.',
  ),
  'kv copy': value(
    anyOf([
      object({
        from: id,
        to: id,
        copied: count('Number of keys copied by this run'),
        earlier: bulk.earlier,
        skipped: count('Number of keys skipped because they exist in the destination (--on-conflict skip)'),
        replaced: optional(
          count(
            'Number of copied keys that replaced a key in the destination; absent if the copy was resumed or partly failed',
          ),
        ),
        expired: bulk.expired,
        failed: bulk.failed,
        failedKeys: bulk.failedKeys,
        lost: count('Number of keys whose value the platform lost'),
        lostKeys: texts(samples),
        finished: bulk.finished,
      }),
      dryRun,
    ]),
  ),
  'kv diff': value(list(namespaceDifference, 'Keys that differ between the two sides')),
} as const;
