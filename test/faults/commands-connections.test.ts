import { afterAll, afterEach, describe, expect } from 'vitest';
import { openFaultyServer } from './suite/faulty-server.ts';
import { connectionKinds } from './suite/kinds/connections.ts';
import { redirectKinds } from './suite/kinds/redirects.ts';
import { sizeKinds } from './suite/kinds/sizes.ts';
import { waitFaults, waitKinds } from './suite/kinds/waits.ts';
import { dealt, playEvery } from './suite/play.ts';

const elsewhere = await openFaultyServer();
elsewhere.conduct({ rightAnswer: () => ({ status: 200, headers: {}, body: '' }) });
afterEach(() => expect(elsewhere.passed).toEqual([]));
afterAll(() => elsewhere.close());

describe('every command, at connections that break, lead elsewhere, ask to wait and bring too much', () => {
  const kinds = [
    ...connectionKinds,
    ...redirectKinds(`http://127.0.0.1:${elsewhere.port}`),
    ...waitKinds,
    ...sizeKinds,
  ];
  playEvery(dealt(kinds), { alsoWrong: ({ ran }) => waitFaults(ran.slept) });
});
