import { useEffect, useReducer } from 'react';
import { useConsole } from '../console/use-console.ts';
import { ageOf } from './age.ts';

/** How long ago the data on the screen were read. Drawn again when the words change, and not before. */
export function useAge(readAt: number | undefined): string | undefined {
  const { world } = useConsole();
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const age = readAt === undefined ? undefined : ageOf(world.now() - readAt);
  const words = age?.words;
  useEffect(() => {
    if (readAt === undefined || words === undefined) return undefined;
    const look = () => {
      const now = ageOf(world.now() - readAt);
      if (now.words !== words) return drawAgain();
      timer = setTimeout(look, now.lasts);
    };
    let timer = setTimeout(look, ageOf(world.now() - readAt).lasts);
    return () => clearTimeout(timer);
  }, [world, readAt, words]);
  return words;
}
