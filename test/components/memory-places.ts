import { Problem } from '../../src/model/problem.ts';
import type { Services } from '../../src/services/console/services.ts';

/** A session over data in memory, without links. */
export const noPlaces: Services['places'] = {
  async find() {
    throw new Problem('not-found', 'There is no such place in memory.');
  },
};
