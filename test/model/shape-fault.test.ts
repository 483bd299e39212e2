import * as v from 'valibot';
import { expect, it } from 'vitest';
import { explainShapeFault } from '../../src/model/shape-fault.ts';

const shape = v.object({ items: v.array(v.object({ name: v.string(), size: v.number() })) });

it.each([
  [undefined, 'the result is missing'],
  [null, 'the result is not an object'],
  ['x', 'the result is not an object'],
  [{}, '"items" is missing'],
  [{ items: {} }, '"items" is not a list'],
  [{ items: [{ name: 'a', size: 1 }, { size: 1 }] }, '"items.1.name" is missing'],
  [{ items: [{ name: 'a', size: '1' }] }, '"items.0.size" is not a number'],
])('explains the invalid value %j: %s', (value, fault) => {
  expect(explainShapeFault(v.safeParse(shape, value))).toBe(fault);
  expect(() => v.parse(shape, value)).toThrow();
});

it('returns the message of an error that is not about a shape', () => {
  expect(explainShapeFault(new Error('it is nested too deep'))).toBe('it is nested too deep');
});
