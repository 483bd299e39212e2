import { afterAll, afterEach, describe, expect } from 'vitest';
import { commandLines } from '../faults/suite/command-lines.ts';
import { isEnvelope } from '../faults/suite/fault.ts';
import { openFaultyServer } from '../faults/suite/faulty-server.ts';
import { fieldFaults } from '../faults/suite/fields.ts';
import { bodyKinds } from '../faults/suite/kinds/bodies.ts';
import { connectionKinds } from '../faults/suite/kinds/connections.ts';
import { echoKinds } from '../faults/suite/kinds/echoes.ts';
import { longKinds, pageKinds } from '../faults/suite/kinds/pages.ts';
import { redirectKinds } from '../faults/suite/kinds/redirects.ts';
import { shapeKinds, sizeKinds } from '../faults/suite/kinds/sizes.ts';
import { slowKinds } from '../faults/suite/kinds/slow.ts';
import { waitFaults, waitKinds } from '../faults/suite/kinds/waits.ts';
import { playEvery, type Script, whole } from '../faults/suite/play.ts';

const elsewhere = await openFaultyServer();
elsewhere.conduct({ rightAnswer: () => ({ status: 200, headers: {}, body: '' }) });
afterEach(() => expect(elsewhere.passed).toEqual([]));
afterAll(() => elsewhere.close());

/** Every field of every answer with every wrong value. */
const everyField: Script = (places, index) =>
  places
    .filter(({ right }) => isEnvelope(right))
    .flatMap(({ place, right }) =>
      fieldFaults(Buffer.from(right.body))
        .flat()
        .map((fault, at) => ({ fault, place, right, json: (index + at) % 2 === 1 })),
    );

const quick = [...bodyKinds, ...shapeKinds, ...echoKinds, ...connectionKinds, ...pageKinds, ...sizeKinds];

describe('every command at every fault, at each place that it asks', () => {
  const redirects = redirectKinds(`http://127.0.0.1:${elsewhere.port}`);
  playEvery(whole([...quick, ...redirects, ...waitKinds]), {
    alsoWrong: ({ ran }) => waitFaults(ran.slept),
    curtain: 30_000,
  });
});

describe('every command at every wrong field', () => {
  playEvery(everyField, { curtain: 30_000 });
});

/** In real time a wait takes minutes, and a hundred thousand pages as well: for these one command of a kind is enough. */
const few = [
  'kv namespace list',
  'kv key list',
  'kv key get',
  'objstore bucket list',
  'objstore object list',
  'hostname list',
];
const lines = few.flatMap((words) => commandLines.filter((line) => line.words === words).slice(0, 1));

describe('commands at a server that is slow, in real time', () => {
  playEvery(whole(slowKinds), { lines, curtain: 60 * 60_000 });
});

describe('commands at lists that are ever new', () => {
  playEvery(whole(longKinds), { lines, curtain: 60 * 60_000 });
});
