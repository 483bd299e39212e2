import { expect, test } from 'vitest';
import { listDifferences } from './differences.ts';
import { explainedByDocument, explainedDifferences, findExplanation } from './explained.ts';
import { published } from './openapi/published-file.ts';
import { sdkTypes } from './sdk-types-file.ts';
import type { TypeSchema } from './type-schema.ts';

/** Types by name, and bodies by route. */
const all = new Map<string, TypeSchema>(
  [
    ...Object.entries({ ...sdkTypes().types, ...published().types }),
    ...Object.entries(published().routes).map(([route, { answer }]) => [route, answer] as const),
    ...Object.entries(sdkTypes().routes).map(([route, known]) => [route, known?.body] as const),
  ].filter((entry): entry is [string, TypeSchema] => typeof entry[1] === 'object' && entry[1] !== null),
);
const types = { ...sdkTypes().types, ...published().types };

/** Returns a value whose field differs in the explained way. */
function getSample(field: string, is: string): unknown {
  const path = field === '' ? [] : field.replace('*', 'some').split('.');
  const last = is === 'missing' ? path.pop() : undefined;
  return path.reduceRight<unknown>(
    (inner, name) => ({ [name]: inner }),
    last === undefined ? toSample(is) : {},
  );
}

const values: Readonly<Record<string, unknown>> = {
  null: null,
  array: [],
  object: {},
  number: 1,
  boolean: true,
  undeclared: 'x',
};

function toSample(is: string): unknown {
  if (is.startsWith('"')) return JSON.parse(is.replace('*', '7'));
  return is in values ? values[is] : 'x';
}

/** Bodies that have a name in the SDK and in the document; the document declares them more precisely. */
const ofDocument = new Map(
  Object.entries(published().routes).flatMap(([route, { answer }]) =>
    answer === null || answer === 'raw' ? [] : [[route, answer] as const],
  ),
);

test.each([...explainedDifferences, ...explainedByDocument])(
  'the explained difference of $of $fields exists',
  ({ of, fields, is }) => {
    const others = { says: '', of: '' };
    const isDocument = explainedByDocument.some((row) => row.of === of && row.is === is);
    const schemaOf = (name: string) => (isDocument ? ofDocument.get(name) : undefined) ?? all.get(name) ?? {};
    for (const field of fields) {
      const sample = getSample(field, is);
      const named = [...all.keys()].filter(
        (name) =>
          findExplanation({
            ...others,
            of: name,
            field: field.replace('*', 'some'),
            is: is.replace('*', '7'),
          })?.of === of,
      );
      expect(named, 'no such type').not.toEqual([]);
      const differing = named.filter((name) =>
        listDifferences(schemaOf(name), types, sample, name).some((one) => findExplanation(one)?.of === of),
      );
      expect(differing, 'the declaration matches the answer, so nothing needs an explanation').not.toEqual(
        [],
      );
    }
  },
);

test('an explanation of a difference in a field covers only one kind of difference', () => {
  const owner = { of: 'zones/zones.Zone.Owner', field: 'id', says: '' };
  expect(findExplanation({ ...owner, is: 'null' })?.why).toContain('null for a zone of an account');
  expect(findExplanation({ ...owner, is: 'number' })).toBe(undefined);
});
