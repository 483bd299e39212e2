import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KnownPlaces } from '../../../../components/kit/known.ts';
import { completeField } from '../../../../components/ui/forms/completion.ts';
import type { FieldNames } from '../../../../components/ui/forms/form-state.ts';
import { scratchFolder, testWorld } from '../../../support/world.ts';
import { memoryKv } from '../../memory-kv.ts';
import { noPlaces } from '../../memory-places.ts';

async function createNames() {
  const known = new KnownPlaces();
  const kv = memoryKv(() => 0);
  for (const title of ['shop-CATALOGUE', 'shop-CARTS', 'a b/c']) kv.namespaces.push({ id: title, title });
  const { kv: noted } = known.observe({ kv: kv.service, places: noPlaces });
  for await (const _ of noted.listNamespaces(new AbortController().signal));
  const home = scratchFolder('home');
  mkdirSync(join(home, 'exports'));
  for (const name of ['a.json', 'a.ndjson', '.hidden']) writeFileSync(join(home, name), '');
  return {
    known,
    world: testWorld({ cwd: home, env: { HOME: home } }),
    profiles: ['acme', 'acme-eu'],
    rows: [],
  };
}

test('completes a name to the longest unambiguous prefix, and lists the candidates', async () => {
  const names = await createNames();
  const complete = (completes: FieldNames, value: string) =>
    completeField({ name: 'x', label: 'X', value, completes }, names);
  expect(complete('namespace', 'sho')).toEqual({ type: 'typed', value: 'shop-CA' });
  expect(complete('namespace', 'shop-CA')).toEqual({ type: 'hinted', hint: 'shop-CARTS  shop-CATALOGUE' });
  expect(complete('namespace', 'a b')).toEqual({ type: 'typed', value: 'a b/c' });
  expect(complete('place', 'pro')).toEqual({ type: 'typed', value: 'production' });
  expect(complete('place', 'acme')).toBeUndefined();
  expect(complete('path', '~/e')).toEqual({ type: 'typed', value: '~/exports/' });
  expect(complete('path', 'a')).toEqual({ type: 'typed', value: 'a.' });
  expect(complete('path', 'a.')).toEqual({ type: 'hinted', hint: 'a.json  a.ndjson' });
  expect(complete('path', './.')).toEqual({ type: 'typed', value: './.hidden' });
  expect(complete('path', '/nowhere/x')).toBeUndefined();
  expect(complete('namespace', '')).toBeUndefined();
});

test('completes a new name up to a separator, but never to an existing name; the next Tab continues', async () => {
  const rows = ['user:1', 'user:12', 'user:2/a', 'user:2/b', 'ä:x'];
  const names = { ...(await createNames()), rows };
  const complete = (value: string, hint?: string) =>
    completeField({ name: 'key', label: 'Key', value, completes: 'row', ...(hint && { hint }) }, names);
  expect(complete('u')).toEqual({ type: 'typed', value: 'user:' });
  expect(complete('user:')).toEqual({ type: 'hinted', hint: 'user:1  user:12  user:2/a  user:2/b' });
  expect(complete('user:', 'user:1')).toBeUndefined();
  expect(complete('user:2')).toEqual({ type: 'typed', value: 'user:2/' });
  expect(complete('user:1')).toBeUndefined();
  expect(complete('ä')).toEqual({ type: 'typed', value: 'ä:' });
  expect(complete('x')).toBeUndefined();
  expect(complete('')).toBeUndefined();
});
