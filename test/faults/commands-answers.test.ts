import { describe } from 'vitest';
import { agreementKinds } from './suite/kinds/agreement.ts';
import { bodyKinds } from './suite/kinds/bodies.ts';
import { echoKinds } from './suite/kinds/echoes.ts';
import { shapeKinds } from './suite/kinds/sizes.ts';
import { dealt, playEvery, whole } from './suite/play.ts';

describe('every command, at answers that are none, and at others than to what was asked', () => {
  const answers = dealt([...bodyKinds, ...echoKinds, ...shapeKinds]);
  const writes = whole(agreementKinds);
  playEvery((places, index) => [...answers(places, index), ...writes(places, index)]);
});
