import { Problem } from '../../src/model/problem.ts';
import type { Services } from '../../src/services/console/services.ts';

/** A session over data in memory, in which no link leads anywhere. */
export const noPlaces: Services['places'] = {
  async find() {
    throw new Problem('not-found', 'There is no such place in memory.');
  },
};
