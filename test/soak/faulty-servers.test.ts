import { afterAll, afterEach, describe, expect } from 'vitest';
import { commandLines } from '../faults/suite/command-lines.ts';
import { openFaultyServer } from '../faults/suite/faulty-server.ts';
import { agreementKinds } from '../faults/suite/kinds/agreement.ts';
import { bodyKinds } from '../faults/suite/kinds/bodies.ts';
import { connectionKinds } from '../faults/suite/kinds/connections.ts';
import { echoKinds } from '../faults/suite/kinds/echoes.ts';
import { longKinds, pageKinds } from '../faults/suite/kinds/pages.ts';
import { redirectKinds } from '../faults/suite/kinds/redirects.ts';
import { shapeKinds, sizeKinds } from '../faults/suite/kinds/sizes.ts';
import { slowKinds } from '../faults/suite/kinds/slow.ts';
import { waitFaults, waitKinds } from '../faults/suite/kinds/waits.ts';
import { playEvery, sharedFaultRunner } from '../faults/suite/play.ts';
import {
  dealt,
  eachFieldOnce,
  everyField,
  inTurn,
  sampled,
  together,
  whole,
} from '../faults/suite/scripts.ts';

/**  `EVERY_SCENE=1 npm run test:soak` tests all scenes, for hours; a larger number N tests one scene in N.  */
const given = process.env['EVERY_SCENE'];
const every = (usual: number): number => (given === undefined ? usual : Number(given));

const runner = sharedFaultRunner();
const elsewhere = await openFaultyServer();
elsewhere.conduct({ rightAnswer: () => ({ status: 200, headers: {}, body: '' }) });
afterEach(() => expect(elsewhere.passed).toEqual([]));
afterAll(() => elsewhere.close());

const minute = 60_000;
const quick = [...bodyKinds, ...shapeKinds, ...echoKinds, ...connectionKinds, ...pageKinds, ...waitKinds];

describe('every command handles faults of each of its requests', () => {
  const redirects = redirectKinds(`http://127.0.0.1:${elsewhere.port}`);
  const script = together(
    sampled(whole([...quick, ...redirects]), every(3)),
    whole(agreementKinds),
    sampled(everyField, every(3)),
    given === '1' ? whole(sizeKinds) : dealt(sizeKinds),
  );
  playEvery(runner, script, { alsoWrong: ({ ran }) => waitFaults(ran.slept), deadline: minute });
});

/**
 * `npm test` runs only a part of these tests: some kinds of faults at each request, and a few of the fields that another command has
 * covered.
 */
describe('every example line of every command handles one fault of each kind', () => {
  playEvery(runner, together(dealt(quick), eachFieldOnce(4)), {
    alsoWrong: ({ ran }) => waitFaults(ran.slept),
    deadline: minute,
  });
});

describe('every example line of every command handles a server that delays its answers', () => {
  playEvery(runner, inTurn(slowKinds), { isClocked: true, deadline: 60 * minute });
});

describe('every command handles a delay of each of its requests', () => {
  playEvery(runner, sampled(whole(slowKinds), every(3)), { isClocked: true, deadline: 60 * minute });
});

/**
 * A hundred thousand pages take a minute or two, so only one command is tested for each kind of list, with numbered or with linked pages.
 */
const lists = ['kv namespace list', 'kv key list', 'objstore object list'];
const lines = lists.flatMap((words) => commandLines.filter((line) => line.words === words).slice(0, 1));

describe('list commands handle lists that never end', () => {
  const script = given === '1' ? whole(longKinds) : dealt(longKinds);
  playEvery(runner, script, { lines, deadline: 60 * minute });
});
