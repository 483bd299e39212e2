import { useEffect, useReducer } from 'react';
import { useConsole } from '../../kit/use-console.ts';
import { ageOf } from './age.ts';

/** Returns the age of the displayed data in words. Redraws only when the words change. */
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

/** Redraws after this number of milliseconds, for countdowns on the screen; undefined if there is none. */
export function useAging(lasts: number | undefined): void {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (lasts === undefined) return undefined;
    const timer = setTimeout(drawAgain, lasts);
    return () => clearTimeout(timer);
  });
}

/** Returns the shortest of some times; undefined if there is none. */
export function soonest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Remaining seconds below which `closeDuration` counts seconds instead of minutes. */
const lastSeconds = 600;

/** Returns the milliseconds for which the text of `closeDuration` stays valid; undefined after the end. */
export function countdownLasts(secondsLeft: number): number | undefined {
  if (secondsLeft <= 0) return undefined;
  if (secondsLeft <= lastSeconds) return 1000;
  return Math.min(60_000, (secondsLeft - lastSeconds + 1) * 1000);
}
