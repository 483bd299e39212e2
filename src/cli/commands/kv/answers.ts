import { keyDifference, namespaceDifference } from '../../../model/kv/difference-shape.ts';
import { namespace, namespaceId } from '../../../model/kv/kv-shape.ts';
import {
  anyOf,
  anything,
  bool,
  count,
  list,
  map,
  nullable,
  number,
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
const title = text('Its name in the account');
const target = text('Where it was done, in words');
const preview = bool('Whether it is the preview namespace of the binding');

const boundEntry = object({
  binding: text('Name of the binding'),
  environment: optional(text('Named environment of the configuration; left out at the top level')),
  keys: texts('Fields of the entry that name the namespace: id, preview_id'),
  place: text('File and line'),
});

const created = {
  id,
  title,
  binding: text('Name for the configuration file'),
  preview,
  created: bool('False where there was one with the title, and --if-not-exists took it'),
};

const expiration = optional(time('When it ceases to exist; left out where it does not'));
const metadata = optional(anything('Its metadata; left out where it has none'));

const key = object({
  name: text('The key'),
  expiration,
  metadata: optional(anything('Its metadata; only with --metadata, and where it has any')),
});

const keyValue = object({
  key: text('The key'),
  value: text('Its value, as text; base64 where base64 is true'),
  base64: optional(only(true, 'The value holds bytes that are no text')),
  sha256: text('SHA-256 of the bytes, for kv key put --if-unchanged'),
  expiration,
  metadata,
});

const samples = 'The first of them';

/** Fields of a command on many keys. */
const bulk = {
  namespaceId: id,
  target,
  entries: count('Entries of the input'),
  earlier: count('Done by an earlier run that this one has resumed'),
  repeated: count('Left out, because a later entry has the same key'),
  invalid: count('Left out with --skip-invalid'),
  expired: count('Left out, because they expire within a minute'),
  failed: count('Not taken by the platform'),
  failedKeys: texts(samples),
  finished: bool('Whether all was done that could be'),
};
const bulkPut = object({ ...bulk, written: count('Written now') });
const bulkDelete = object({ ...bulk, deleted: count('Deleted now') });

const effects = {
  create: 'would be created',
  change: 'would be changed',
  replace: 'would be overwritten',
  delete: 'would be deleted',
  same: 'would stay the same',
  skip: 'would be left as they are',
  conflict: 'are there already, so that nothing would be copied',
  missing: 'are not there',
} as const;
const effectNames = ['create', 'change', 'replace', 'delete', 'same', 'skip', 'conflict', 'missing'] as const;
const many = (name: keyof typeof effects) =>
  optional(count(`Keys that ${effects[name]}; left out where there are none`));

/** The answer of a dry run. */
const dryRun = object({
  keys: optional(
    list(
      object({ key: text('The key'), effect: oneOf(effectNames, 'What would become of it') }),
      'With --verbose: each key',
    ),
  ),
  dryRun: only(true, 'Nothing was changed'),
  namespaceId: id,
  target,
  create: many('create'),
  change: many('change'),
  replace: many('replace'),
  delete: many('delete'),
  same: many('same'),
  skip: many('skip'),
  conflict: many('conflict'),
  missing: many('missing'),
  hash: optional(text('Of kv bulk delete --prefix: what --confirm takes to delete exactly these keys')),
});

/** As bulk put takes it. */
const exported = object({
  key: text('The key'),
  value: text('Its value; base64 where base64 is true'),
  base64: optional(bool('The value is base64')),
  expiration: optional(number('UNIX seconds, as kv bulk put takes it')),
  metadata: optional(anything('Its metadata')),
});

export const kvAnswers = {
  'kv namespace create': value(
    anyOf([
      object({ ...created, snippet: text('The entry for the configuration file, in its language') }),
      object({ ...created, updated: text('With --update-config: the file that holds it now') }),
    ]),
  ),
  'kv namespace list': value(list(namespace, 'All namespaces of the account')),
  'kv namespace rename': value(object({ id, title: text('The new title') })),
  'kv namespace delete': value(
    object({
      id,
      title,
      deleted: only(true, 'It is gone'),
      removed: optional(list(boundEntry, 'With --update-config: bindings that were taken out of the file')),
      left: optional(list(boundEntry, 'Bindings that still name it')),
    }),
  ),
  'kv namespace clear': value(anyOf([bulkDelete, dryRun])),
  'kv key put': value(
    object({
      key: text('The key'),
      namespaceId: id,
      target,
      size: count('Bytes of the value'),
      replaced: optional(bool('Whether there was such a key; left out where the token may not list keys')),
      before: optional(object({ expiration, metadata })),
    }),
  ),
  'kv key list': value(list(key, 'Keys, in the order of their UTF-8 bytes')),
  'kv key get': value(anyOf([keyValue, key]), 'With --metadata, name, expiration and metadata.'),
  'kv key delete': value(
    object({
      key: text('The key'),
      namespaceId: id,
      target,
      deleted: bool('Whether there was such a key, as the listing of the platform has it'),
      undo: undoId,
    }),
  ),
  'kv key diff': value(
    object({
      key: text('The key of the left side'),
      toKey: text('The key of the right side'),
      same: bool('Whether nothing differs'),
      left: oneOf(['there', 'absent'], 'Whether there is such a key'),
      right: oneOf(['there', 'absent'], 'Whether there is such a key'),
      differences: list(keyDifference, 'Parts that differ'),
    }),
  ),
  'kv bulk put': value(anyOf([bulkPut, dryRun])),
  'kv bulk get': value(
    map(
      nullable(anyOf([text('The value'), object({ base64: text('The bytes of a value that is no text') })])),
      'Values by key; null where there is no such key',
    ),
  ),
  'kv bulk delete': value(anyOf([bulkDelete, dryRun])),
  'kv export': valueOrLines(
    anyOf([
      list(exported, 'Every key'),
      object({
        namespaceId: id,
        target,
        exported: count('Keys'),
        file: text('The file'),
        format: oneOf(['ndjson', 'json'], 'Of the file'),
        lost: count('Keys whose value the platform has lost'),
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
        copied: count('Copied now'),
        earlier: bulk.earlier,
        skipped: count('Left as they were, with --on-conflict skip'),
        replaced: optional(
          count(
            'Copied keys that the destination had; absent where the copy was resumed, or has failed in part',
          ),
        ),
        expired: bulk.expired,
        failed: bulk.failed,
        failedKeys: bulk.failedKeys,
        lost: count('Keys whose value the platform has lost'),
        lostKeys: texts(samples),
        finished: bulk.finished,
      }),
      dryRun,
    ]),
  ),
  'kv diff': value(list(namespaceDifference, 'Keys that are not the same on both sides')),
} as const;
