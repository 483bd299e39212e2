import { type Area, currentStack, type Places, type Stack } from './places.ts';

/** A view that was on the screen. */
interface View {
  readonly area: Area;
  readonly stack: Stack;
}

/** The views before the current view, oldest first, and the views to which the user can go forward, next view first. */
export interface History {
  readonly past: readonly View[];
  readonly future: readonly View[];
}

/** An empty history. */
export const noHistory: History = { past: [], future: [] };

/** Maximum number of views in each direction. */
const maxViews = 100;

/** Adds the previous view to the history if the view has changed. Must not be called for steps in the history itself. */
export function recordView(history: History, before: Places, after: Places): History {
  if (currentStack(before) === currentStack(after)) return history;
  return { past: [...history.past, presentView(before)].slice(-maxViews), future: [] };
}

/** Returns the places and the history after a step back or forward; undefined if no view exists in that direction. */
export function stepHistory(
  { past, future }: History,
  places: Places,
  to: 'back' | 'forward',
): { readonly history: History; readonly places: Places } | undefined {
  const wanted = to === 'back' ? past.at(-1) : future[0];
  if (wanted === undefined) return undefined;
  const here = presentView(places);
  const history =
    to === 'back'
      ? { past: past.slice(0, -1), future: [here, ...future].slice(0, maxViews) }
      : { past: [...past, here].slice(-maxViews), future: future.slice(1) };
  const stacks = new Map(places.stacks).set(wanted.area, wanted.stack);
  return { history, places: { ...places, area: wanted.area, stacks } };
}

function presentView(places: Places): View {
  return { area: places.area, stack: currentStack(places) };
}
