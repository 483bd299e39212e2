import type { Equivalent } from '../../src/services/equivalents/equivalents.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import { PaneChanges } from '../kit/changes.ts';
import type { Mode } from '../kit/keys/modes.ts';
import type { Press } from '../kit/keys/presses.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import type { Notice } from '../kit/messages.ts';
import { firstPane } from '../kit/nouns.ts';
import type { OpenPane, OpenPanes, PendingPress } from '../kit/open-pane.ts';
import type { Draft } from '../kit/use-console.ts';
import type { PaneWrites } from '../kit/writes.ts';
import type { ConsoleConnection } from './connection.ts';
import { type History, noHistory, recordView, stepHistory } from './history.ts';
import {
  allPanes,
  closePane,
  currentStack,
  goTo,
  initialPlaces,
  type Places,
  pushPane,
  replaceContent,
  type Stack,
  type StackEntry,
  switchArea,
} from './places.ts';

/** A screen that covers the pane. */
export type Overlay =
  | {
      readonly kind: 'help' | 'palette';
      readonly mode: Mode;
      readonly situation: Situation;
      /** Runs the pane's action for a press. */
      perform(press: Press): void;
    }
  /** Shown while the target of a link is looked up. */
  | { readonly kind: 'going'; readonly link: string; readonly pending?: PendingPress | undefined }
  | { readonly kind: 'targets' }
  /** Asks for a profile, account or zone; if `of` is set, only for an account for this choice. */
  | { readonly kind: 'acting'; readonly of?: SessionChoice }
  | { readonly kind: 'equivalents'; readonly found: readonly Equivalent[] }
  /** `opening` opens another connection; `leaving` first asks whether edited values or the result of a write may be lost. */
  | ({ readonly kind: 'leaving' | 'opening' } & Opening);

/** A connection to open. */
export interface Opening {
  readonly choice: SessionChoice;
  /** A short description: `profile staging`. */
  readonly words: string;
  /** The first area (default: the current area). */
  readonly area?: OpenPane;
}

export interface ConsoleState {
  readonly connection: ConsoleConnection;
  /** Number of the connection. Panes of an earlier connection are discarded. */
  readonly generation: number;
  /** Edited values that are not yet stored. Each connection has its own drafts, because the same name can exist in another connection. */
  readonly drafts: Map<string, Draft>;
  /** Changes that panes of this connection announce to each other. */
  readonly changes: PaneChanges;
  /** The current area, and each area's stack of panes. */
  readonly places: Places;
  readonly history: History;
  readonly overlay?: Overlay | undefined;
  readonly pending?: PendingPress | undefined;
  /** Whether lists show a preview if there is room. */
  readonly preview: boolean;
  /** The notice about the last press. */
  readonly notice?: Notice | undefined;
  /** The last failure of each pane, by the pane's serial, until the user dismisses it. Failures that a dialog shows are not included. */
  readonly failures: ReadonlyMap<number, Notice>;
  /** The running and unsettled writes of each pane, by the pane's serial. */
  readonly writes: ReadonlyMap<number, PaneWrites>;
  /** Closed panes that are kept because their writes have not finished, each as the stack up to the pane. */
  readonly stillWriting: readonly Stack[];
  /** A note from a session, which replaces the notice. */
  readonly note?: string | undefined;
}

export type ConsoleEvent =
  /** `from`: the serial of the opening pane (default: the pane on the screen). */
  | { readonly type: 'opened'; readonly pane: OpenPane; readonly from?: number | undefined }
  /** `from`: the serial of the changed pane (default: the pane on the screen). */
  | { readonly type: 'became'; readonly pane: OpenPane; readonly from?: number | undefined }
  /** `from`: the serial of the closed pane (default: the pane on the screen). */
  | { readonly type: 'back'; readonly from?: number | undefined }
  /** Opens a stack of panes in their area, and then presses `pending` in the last pane. */
  | { readonly type: 'went'; readonly panes: OpenPanes; readonly pending?: PendingPress | undefined }
  /** The pending press was handled or canceled. */
  | { readonly type: 'pressed' }
  | { readonly type: 'stepped'; readonly to: 'back' | 'forward' }
  /** Switches to an area, identified by its first pane. */
  | { readonly type: 'turned'; readonly pane: OpenPane }
  /** `from`: the serial of the calling pane (default: the pane on the screen). */
  | { readonly type: 'noticed'; readonly notice: Notice | undefined; readonly from?: number | undefined }
  | { readonly type: 'dismissed' }
  /** `from`: the serial of the pane. */
  | { readonly type: 'wrote'; readonly writes: PaneWrites; readonly from: number }
  /** Goes to the pane with this serial. */
  | { readonly type: 'recalled'; readonly serial: number }
  | { readonly type: 'preview-toggled' }
  | { readonly type: 'noted'; readonly note: string | undefined }
  | { readonly type: 'covered'; readonly overlay: Overlay | undefined }
  | {
      readonly type: 'connected';
      readonly connection: ConsoleConnection;
      readonly area?: OpenPane | undefined;
    };

/** Returns the initial state of the console for a connection. */
export function initialConsole(connection: ConsoleConnection, panes: OpenPanes): ConsoleState {
  return {
    connection,
    generation: 0,
    drafts: new Map(),
    changes: new PaneChanges(),
    places: initialPlaces(panes),
    history: noHistory,
    failures: new Map(),
    writes: new Map(),
    stillWriting: [],
    preview: true,
  };
}

/** Returns the state after an event. */
export function reduceConsole(state: ConsoleState, event: ConsoleEvent): ConsoleState {
  switch (event.type) {
    case 'opened':
      return withPlaces(state, pushPane(state.places, event.pane, event.from));
    case 'became':
      return { ...state, places: replaceContent(state.places, event.pane, event.from) };
    case 'back':
      return withPlaces(state, closePane(state.places, event.from));
    case 'turned':
      return { ...withPlaces(state, switchArea(state.places, event.pane)), overlay: undefined };
    case 'went':
      return {
        ...withPlaces(state, goTo(state.places, event.panes)),
        overlay: undefined,
        pending: event.pending,
      };
    case 'pressed':
      return { ...state, pending: undefined };
    case 'stepped':
      return step(state, event.to);
    case 'preview-toggled':
      return { ...state, preview: !state.preview };
    case 'noticed':
      return reduceNotice(state, event);
    case 'wrote':
      return withWrites(state, event.from, event.writes);
    case 'recalled':
      return { ...recallPane(state, event.serial), overlay: undefined };
    case 'dismissed':
      return { ...state, failures: withoutFailures(state.failures, [serialOnScreen(state)]) };
    case 'noted':
      if (state.note === event.note) return state;
      return { ...state, note: event.note, notice: event.note === undefined ? state.notice : undefined };
    case 'covered':
      return { ...state, overlay: event.overlay };
    case 'connected': {
      const { connection, area = currentStack(state.places)[0].opened } = event;
      const first = firstPane(connection.services, area);
      const { generation, preview } = state;
      return { ...initialConsole(connection, [first]), generation: generation + 1, preview };
    }
  }
}

function withPlaces(state: ConsoleState, places: Places): ConsoleState {
  const standing = new Set(allPanes(places).map(({ serial }) => serial));
  const closed = [...state.failures.keys()].filter((serial) => !standing.has(serial));
  const history = recordView(state.history, state.places, places);
  const failures = withoutFailures(state.failures, closed);
  return { ...state, places, history, failures, stillWriting: findWritingStacks(state, places) };
}

function step(state: ConsoleState, to: 'back' | 'forward'): ConsoleState {
  const next = { ...state, ...stepHistory(state.history, state.places, to), overlay: undefined };
  return { ...next, stillWriting: findWritingStacks(state, next.places) };
}

/** Returns the stack of each closed pane whose writes have not finished. */
function findWritingStacks(
  { stillWriting, places: before, writes }: ConsoleState,
  places: Places,
): readonly Stack[] {
  const standing = new Set(allPanes(places).map(({ serial }) => serial));
  const open = [...before.stacks.values()].flatMap(stacksUpTo);
  const stacks = new Map([...stillWriting, ...open].map((stack) => [getTop(stack).serial, stack]));
  return [...stacks].flatMap(([serial, stack]) =>
    writes.has(serial) && !standing.has(serial) ? [stack] : [],
  );
}

/** Returns, for each pane of a stack, the stack up to that pane. */
function stacksUpTo([first, ...rest]: Stack): readonly Stack[] {
  return [[first], ...rest.map((_, at): Stack => [first, ...rest.slice(0, at + 1)])];
}

function getTop(stack: Stack): StackEntry {
  return stack.at(-1) ?? stack[0];
}

function withWrites(state: ConsoleState, from: number, of: PaneWrites): ConsoleState {
  const writes = new Map(state.writes);
  if (of.pending + of.unsettled > 0) writes.set(from, of);
  else writes.delete(from);
  return {
    ...state,
    writes,
    stillWriting: state.stillWriting.filter((stack) => writes.has(getTop(stack).serial)),
  };
}

/** Returns the state with the pane of this serial on the screen. The pane can be open, or closed and kept for its writes. */
function recallPane(state: ConsoleState, serial: number): ConsoleState {
  const open = [...state.places.stacks.values()].flatMap(stacksUpTo);
  const stack = [...open, ...state.stillWriting].find((one) => getTop(one).serial === serial);
  if (stack === undefined) return state;
  const area = stack[0].opened.pane;
  const stacks = new Map(state.places.stacks).set(area, stack);
  return withPlaces(state, { ...state.places, area, stacks });
}

function withoutFailures(
  failures: ConsoleState['failures'],
  serials: readonly number[],
): ConsoleState['failures'] {
  return new Map([...failures].filter(([serial]) => !serials.includes(serial)));
}

function serialOnScreen({ places }: ConsoleState): number {
  const stack = currentStack(places);
  return (stack.at(-1) ?? stack[0]).serial;
}

function reduceNotice(
  state: ConsoleState,
  { notice, from = serialOnScreen(state) }: Extract<ConsoleEvent, { type: 'noticed' }>,
): ConsoleState {
  if (notice?.tone === 'failed') {
    const failures = new Map(state.failures).set(from, notice);
    return { ...state, notice: undefined, note: undefined, failures };
  }
  const isSame = state.notice?.text === notice?.text && state.notice?.tone === notice?.tone;
  return isSame && state.note === undefined ? state : { ...state, notice, note: undefined };
}

/**
 * Returns the notice above the footer: the last notice, otherwise a note from a session, otherwise the failure of the pane on the screen.
 * An overlay shows no failure, because Esc, which dismisses a failure, closes the overlay.
 */
export function shownNotice(state: ConsoleState): Notice | undefined {
  const { notice, note, failures, overlay } = state;
  if (notice !== undefined) return notice;
  if (note !== undefined) return { text: note, tone: 'told' };
  return overlay === undefined ? failures.get(serialOnScreen(state)) : undefined;
}
