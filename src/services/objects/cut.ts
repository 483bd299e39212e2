import { isProblem } from '../../model/problem.ts';
import type { World } from '../../world.ts';

/** Maximum number of attempts if the connection breaks during a transfer. */
const attempts = 4;

/** Runs `work`, and retries if the connection broke during the transfer. Calls `restart` before each retry. */
export async function repeatCut<T>(
  world: Pick<World, 'sleep' | 'interrupted'>,
  { restart, mayRepeat = true }: { restart(): void; readonly mayRepeat?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isCut = isProblem(error) && error.code === 'unreachable';
      if (!isCut || !mayRepeat || attempt >= attempts) throw error;
    }
    restart();
    await world.sleep(500 * 2 ** (attempt - 1), world.interrupted);
  }
}
