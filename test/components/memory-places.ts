import { Problem } from '../../src/model/problem.ts';
import type { PlaceService } from '../../src/services/console/services.ts';

/** A session over data in memory, in which no link leads anywhere. */
export const noPlaces: PlaceService = {
  async find() {
    throw new Problem('not-found', 'There is no such place in memory.');
  },
};
