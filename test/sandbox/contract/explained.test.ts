import { expect, test } from 'vitest';
import { differences } from './differences.ts';
import { explained, explanationOf } from './explained.ts';
import { sdkTypes } from './sdk-types-file.ts';
import type { TypeSchema } from './type-schema.ts';

const { routes, types } = sdkTypes();

/** Types by their names, and bodies by their routes. */
const all = new Map<string, TypeSchema>(Object.entries(types));
for (const [route, known] of Object.entries(routes)) {
  if (known !== null && known.body !== 'raw') all.set(route, known.body);
}

/** A value that differs in a field in the way that is explained. */
function sampleOf(field: string, is: string): unknown {
  const value =
    is === 'null'
      ? null
      : is === 'array'
        ? []
        : is.startsWith('"')
          ? JSON.parse(is)
          : is === 'number'
            ? 1
            : 'x';
  const path = field === '' ? [] : field.replace('*', 'some').split('.');
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

test.each(explained)('what is explained of $of $fields does differ', ({ of, fields, is }) => {
  const others = { says: '', of: '' };
  for (const field of fields) {
    const named = [...all.keys()].filter(
      (name) => explanationOf({ ...others, of: name, field: field.replace('*', 'some'), is })?.of === of,
    );
    expect(named, 'no such type').not.toEqual([]);
    const differing = named.filter((name) =>
      differences(all.get(name) ?? {}, types, sampleOf(field, is), name).some(
        (one) => one.is === is && explanationOf(one)?.of === of,
      ),
    );
    expect(differing, 'the SDK has it as it is answered').not.toEqual([]);
  }
});

test('what is explained of a field in one way explains no other way', () => {
  const owner = { of: 'zones/zones.Zone.Owner', field: 'id', says: '' };
  expect(explanationOf({ ...owner, is: 'null' })?.why).toContain('null for a zone of an account');
  expect(explanationOf({ ...owner, is: 'number' })).toBe(undefined);
});
