import type { PlaceService } from '../../components/kit/services.ts';
import { Problem } from '../../src/model/problem.ts';

/** A session over data in memory, in which no link leads anywhere. */
export const noPlaces: PlaceService = {
  async find() {
    throw new Problem('not-found', 'There is no such place in memory.');
  },
};
