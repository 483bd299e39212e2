import { Problem } from '../../src/model/problem.ts';
import type { Services } from '../../src/services/console/services.ts';

/** The place service for data in memory, without links. */
export const noPlaces: Services['places'] = {
  async find() {
    throw new Problem('not-found', 'There is no such place in memory.');
  },
};
