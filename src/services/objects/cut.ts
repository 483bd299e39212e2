import { isProblem } from '../../model/problem.ts';
import type { World } from '../../world.ts';

/** Times that bytes are asked for that are cut on their way. */
const attempts = 4;

/** Does again what is cut on its way, as an answer is asked for again that is cut; `restart` is told before. */
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
