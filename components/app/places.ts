import type { OpenPane } from '../kit/open-pane.ts';

/** An open pane, and its unique serial, by which the state of the pane is kept while another pane is on the screen. */
export interface StackEntry {
  readonly serial: number;
  readonly opened: OpenPane;
}

/** The panes of an area, from the first pane to the current pane. */
export type Stack = readonly [StackEntry, ...StackEntry[]];

/** A part of the console with its own stack, identified by the name of its first pane. */
export type Area = OpenPane['pane'];

/** The current area, and the stack of panes in each area. */
export interface Places {
  readonly area: Area;
  readonly stacks: ReadonlyMap<Area, Stack>;
  /** The last assigned serial. */
  readonly serials: number;
}

/** Returns places with a single area that contains these panes. */
export function initialPlaces([first, ...rest]: readonly [OpenPane, ...OpenPane[]]): Places {
  return goTo({ area: first.pane, stacks: new Map(), serials: 0 }, [first, ...rest]);
}

/** Returns the panes of the current area. */
export function currentStack({ area, stacks }: Places): Stack {
  const stack = stacks.get(area);
  if (stack === undefined) throw new Error(`the area ${area} has no open pane`);
  return stack;
}

/** Returns all open panes, and for each pane whether it is on the screen. */
export function allPanes(places: Places): readonly (StackEntry & { readonly isOnScreen: boolean })[] {
  const top = currentStack(places).at(-1);
  return [...places.stacks.values()].flatMap((stack) =>
    stack.map((standing) => ({ ...standing, isOnScreen: standing === top })),
  );
}

/** Opens a pane on top of the area of the pane with the serial `from` (default: the pane on the screen). */
export function pushPane(places: Places, opened: OpenPane, from?: number): Places {
  const area = findArea(places, from);
  const stack = area === undefined ? undefined : places.stacks.get(area);
  if (area === undefined || stack === undefined) return places;
  const serials = places.serials + 1;
  return { ...withStack(places, area, [...stack, { serial: serials, opened }]), serials };
}

/**
 * Closes the pane with the serial `from` (default: the pane on the screen) and the panes above it. Never closes the first pane of an area.
 */
export function closePane(places: Places, from?: number): Places {
  const area = findArea(places, from);
  const stack = area === undefined ? undefined : places.stacks.get(area);
  if (area === undefined || stack === undefined) return places;
  const closed = from ?? stack.at(-1)?.serial;
  const [first, ...rest] = stack;
  const left = rest.findIndex(({ serial }) => serial === closed);
  return left === -1 ? places : withStack(places, area, [first, ...rest.slice(0, left)]);
}

/** Changes the content of the pane with the serial `from` (default: the pane on the screen). The serial stays the same. */
export function replaceContent(places: Places, opened: OpenPane, from?: number): Places {
  const area = findArea(places, from);
  const [first, ...rest] = (area !== undefined && places.stacks.get(area)) || [];
  if (area === undefined || first === undefined) return places;
  const serial = from ?? (rest.at(-1) ?? first).serial;
  const changed = (one: StackEntry) => (one.serial === serial ? { ...one, opened } : one);
  return withStack(places, area, [changed(first), ...rest.map(changed)]);
}

/** Switches to an area in its last state. If the area is already the current one, closes all panes above its first pane. */
export function switchArea(places: Places, first: OpenPane): Places {
  const area = first.pane;
  const stack = places.stacks.get(area);
  if (stack === undefined) return goTo(places, [first]);
  if (area !== places.area) return { ...places, area };
  return stack.length === 1 ? places : withStack(places, area, [stack[0]]);
}

/** Switches to the area of the first pane, and replaces the panes above the first pane. If the first pane is open, it keeps its state. */
export function goTo(places: Places, [first, ...rest]: readonly [OpenPane, ...OpenPane[]]): Places {
  const area = first.pane;
  const before = places.stacks.get(area);
  const root = before?.[0] ?? { serial: places.serials + 1, opened: first };
  let serials = before === undefined ? places.serials + 1 : places.serials;
  const above = rest.map((opened) => ({ serial: ++serials, opened }));
  return { ...withStack(places, area, [root, ...above]), area, serials };
}

function findArea({ area, stacks }: Places, serial: number | undefined): Area | undefined {
  if (serial === undefined) return area;
  return [...stacks].find(([, stack]) => stack.some((standing) => standing.serial === serial))?.[0];
}

function withStack(places: Places, area: Area, stack: Stack): Places {
  return { ...places, stacks: new Map(places.stacks).set(area, stack) };
}
