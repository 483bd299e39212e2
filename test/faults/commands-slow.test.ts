import { describe } from 'vitest';
import { slowKinds } from './suite/kinds/slow.ts';
import { dealt, playEvery } from './suite/play.ts';

/** Longer than a person waits; all of it is clocked. */
const hour = 3600_000;

describe('every command, at servers that let it wait', () => {
  playEvery(dealt(slowKinds), { isClocked: true, curtain: hour });
});
