import { expect, it } from 'vitest';
import { workerChanges } from '../../../src/model/workers/changes.ts';

const after = {
  compatibilityDate: '2026-11-01',
  compatibilityFlags: [],
  modules: [],
  bindings: [],
  preservedSecrets: [],
};

/** Describes a deployed binding that is missing in the new version. */
function removed(binding: {
  readonly name: string;
  readonly type: string;
  readonly [field: string]: unknown;
}) {
  const before = {
    bindings: [binding],
    compatibilityFlags: [],
    modules: [],
    compatibilityDate: '2026-11-01',
  };
  return workerChanges(before, after);
}

it.each([
  ['kv_namespace', 'namespace_id', 'ab'.repeat(16), `namespace ${'ab'.repeat(16)}`],
  ['kv_namespace', 'namespace_id', undefined, 'an unnamed namespace'],
  ['kv_namespace', 'namespace_id', {}, 'an unnamed namespace'],
  ['kv_namespace', 'namespace_id', null, 'an unnamed namespace'],
  ['r2_bucket', 'bucket_name', 'pictures', 'bucket pictures'],
  ['r2_bucket', 'bucket_name', [{}], 'an unnamed bucket'],
  ['plain_text', 'text', 'hello', '"hello"'],
  ['plain_text', 'text', undefined, 'no value'],
  ['json', 'json', { a: 1 }, '{"a":1}'],
])('describes a deployed %s whose %s is %j', (type, field, value, before) => {
  const expected = [{ change: 'removed', what: 'binding', name: 'ONE', before }];
  expect(removed({ name: 'ONE', type, [field]: value })).toEqual(expected);
});

// keep_bindings lists the binding types to keep from the previous upload (provider's SDK), whatever version is running.
it('compares secrets of the previous upload with the running version: kept, added or removed', () => {
  const bindings = ['BOTH', 'GONE'].map((name) => ({ name, type: 'secret_text' }));
  const before = { ...after, bindings };
  expect(workerChanges(before, { ...after, preservedSecrets: ['BOTH', 'BACK'] })).toEqual([
    { change: 'kept', what: 'secret', name: 'BOTH' },
    { change: 'removed', what: 'secret', name: 'GONE' },
    { change: 'added', what: 'secret', name: 'BACK' },
  ]);
});
