import { describe } from 'vitest';
import { isEnvelope } from './suite/fault.ts';
import { fieldFaults } from './suite/fields.ts';
import { pageKinds } from './suite/kinds/pages.ts';
import { dealt, type Place, playEvery, type Script } from './suite/play.ts';

const pages = dealt(pageKinds);

/** Every field of every answer with one wrong value; which one goes round. */
const fields: Script = (places, index) =>
  places
    .filter(({ right }) => isEnvelope(right))
    .flatMap(({ place, right }: Place) =>
      fieldFaults(Buffer.from(right.body)).flatMap((faults, at) => {
        const fault = faults[(index + at) % faults.length];
        return fault === undefined ? [] : [{ fault, place, right, json: (index + at) % 2 === 1 }];
      }),
    );

describe('every command, at wrong fields and at lists without end', () => {
  playEvery((places, index) => [...pages(places, index), ...fields(places, index)]);
});
