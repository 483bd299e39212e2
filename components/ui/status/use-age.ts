import { useEffect, useReducer, useRef } from 'react';
import { closeDuration, compactDuration } from '../../../src/text/time.ts';
import { useConsole } from '../../kit/use-console.ts';
import { type DataAge, formatDataAge } from './age.ts';

/**
 * Returns the age of the displayed data as text, and redraws when the text changes. `read` returns the current age, which a refresh can
 * change without drawing a frame.
 */
export function useAge(read: (() => DataAge) | undefined): string | undefined {
  const { world } = useConsole();
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const latest = useRef(read);
  latest.current = read;
  const words = read && formatDataAge(read(), world.now())?.words;
  useEffect(() => {
    if (words === undefined) return undefined;
    const find = () => latest.current && formatDataAge(latest.current(), world.now());
    const check = () => {
      const now = find();
      if (now === undefined || now.words !== words) return drawAgain();
      timer = setTimeout(check, now.validForMs);
    };
    let timer = setTimeout(check, find()?.validForMs ?? 0);
    return () => clearTimeout(timer);
  }, [world, words]);
  return words;
}

/** Redraws after this number of milliseconds, for countdowns on the screen. Does nothing for undefined. */
export function useRedrawAfter(delayMs: number | undefined): void {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (delayMs === undefined) return undefined;
    const timer = setTimeout(drawAgain, delayMs);
    return () => clearTimeout(timer);
  });
}

/** Returns the smallest defined number; undefined if there is none. */
export function shortest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Remaining seconds up to which `closeDuration` counts seconds instead of minutes. */
const countedSeconds = 600;

/** Formats remaining seconds for an overview, as minutes or more: a redraw each second would be distracting. */
export function formatMinutesLeft(secondsLeft: number): string {
  if (secondsLeft < 60) return '<1m';
  return secondsLeft <= countedSeconds ? compactDuration(secondsLeft) : closeDuration(secondsLeft);
}

/** Returns the milliseconds for which the text of `formatMinutesLeft` stays valid; undefined if no time is left. */
export function minutesValidMs(secondsLeft: number): number | undefined {
  if (secondsLeft <= 0) return undefined;
  if (secondsLeft < 60) return Math.ceil(secondsLeft * 1000);
  // Minutes are rounded down, so the text changes just after a whole minute has passed.
  return Math.ceil((secondsLeft % 60) * 1000) + 1;
}

/** Returns the milliseconds for which the text of `closeDuration` stays valid; undefined if no time is left. */
export function countdownValidMs(secondsLeft: number): number | undefined {
  if (secondsLeft <= 0) return undefined;
  if (secondsLeft <= countedSeconds) return 1000;
  return Math.min(60_000, (secondsLeft - countedSeconds + 1) * 1000);
}
