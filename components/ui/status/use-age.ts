import { useEffect, useReducer } from 'react';
import { useConsole } from '../../kit/use-console.ts';
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

/** Draws again after this number of milliseconds, for countdowns on the screen; undefined if there is none. */
export function useAging(lasts: number | undefined): void {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (lasts === undefined) return undefined;
    const timer = setTimeout(drawAgain, lasts);
    return () => clearTimeout(timer);
  });
}

/** The shortest of some times; undefined where there is none. */
export function soonest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Seconds before the end from which `closeDuration` counts them; before, it counts minutes. */
const lastSeconds = 600;

/** Milliseconds that the words of `closeDuration` for what is still to come hold; undefined once it is over. */
export function countdownLasts(secondsLeft: number): number | undefined {
  if (secondsLeft <= 0) return undefined;
  if (secondsLeft <= lastSeconds) return 1000;
  return Math.min(60_000, (secondsLeft - lastSeconds + 1) * 1000);
}
