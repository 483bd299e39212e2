import type { Equivalent } from '../../src/services/equivalents/equivalents.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import { PaneChanges } from '../kit/changes.ts';
import type { Mode } from '../kit/keys/modes.ts';
import type { Press } from '../kit/keys/presses.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import type { Notice } from '../kit/messages.ts';
import { firstPane } from '../kit/nouns.ts';
import type { OpenPane, OpenPanes } from '../kit/open-pane.ts';
import type { Draft } from '../kit/use-console.ts';
import { type History, noHistory, seen, step } from './history.ts';
import type { KeptConnection } from './kept-connection.ts';
import {
  becomeIn,
  closePane,
  goTo,
  openAbove,
  type Places,
  placesAt,
  presentStack,
  standingPanes,
  turnTo,
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
  /** What a link names is being found. */
  | { readonly kind: 'going'; readonly link: string }
  | { readonly kind: 'targets' }
  /** As whom to act is chosen; `of`: among the accounts of what could not be opened without one. */
  | { readonly kind: 'acting'; readonly of?: SessionChoice }
  | { readonly kind: 'equivalents'; readonly found: readonly Equivalent[] }
  /** Opens another connection; asks first if strings would be lost. */
  | ({ readonly kind: 'leaving' | 'opening' } & Opening);

/** A connection to be opened. */
export interface Opening {
  readonly choice: SessionChoice;
  /** What it is, in a few words. Escaped. */
  readonly words: string;
  /** The area to begin in (default: the present one). */
  readonly area?: OpenPane;
}

export interface ConsoleState {
  readonly connection: KeptConnection;
  /** Counts the connections: panes of an earlier one are not kept. */
  readonly generation: number;
  /** Strings from the editor that are not stored yet. They belong to the connection: another has the same names. */
  readonly drafts: Map<string, Draft>;
  /** Changes that its panes announce to each other. */
  readonly changes: PaneChanges;
  /** Where the reader is, and where they were in each area. */
  readonly places: Places;
  readonly history: History;
  readonly overlay?: Overlay | undefined;
  /** Whether lists have a preview of the selected item, if there is room. */
  readonly preview: boolean;
  /** The result of a press, in words. */
  readonly notice?: Notice | undefined;
  /** The last failure of each pane, by its serial, that no dialog shows: it stays in its pane until it is dismissed. */
  readonly failures: ReadonlyMap<number, Notice>;
  /** A message from a session; it is shown instead of the notice. */
  readonly note?: string | undefined;
}

export type ConsoleEvent =
  /** `from`: the serial of the pane that opens it (default: the one on the screen). */
  | { readonly type: 'opened'; readonly pane: OpenPane; readonly from?: number | undefined }
  /** `from`: the serial of the pane that changes its content (default: the one on the screen). */
  | { readonly type: 'became'; readonly pane: OpenPane; readonly from?: number | undefined }
  /** `from`: the serial of the pane that closes (default: the one on the screen). */
  | { readonly type: 'back'; readonly from?: number | undefined }
  /** Panes of an area, one above the other. */
  | { readonly type: 'went'; readonly panes: OpenPanes }
  | { readonly type: 'stepped'; readonly to: 'back' | 'forward' }
  /** An area by its first pane. */
  | { readonly type: 'turned'; readonly pane: OpenPane }
  /** `from`: the serial of the calling pane (default: the one on the screen). */
  | { readonly type: 'noticed'; readonly notice: Notice | undefined; readonly from?: number | undefined }
  | { readonly type: 'dismissed' }
  | { readonly type: 'preview-toggled' }
  | { readonly type: 'noted'; readonly note: string | undefined }
  | { readonly type: 'covered'; readonly overlay: Overlay | undefined }
  | { readonly type: 'connected'; readonly connection: KeptConnection; readonly area?: OpenPane | undefined };

/** The console as it opens on a connection. */
export function openedConsole(connection: KeptConnection, panes: OpenPanes): ConsoleState {
  return {
    connection,
    generation: 0,
    drafts: new Map(),
    changes: new PaneChanges(),
    places: placesAt(panes),
    history: noHistory,
    failures: new Map(),
    preview: true,
  };
}

/** The state after an event. */
export function reduceConsole(state: ConsoleState, event: ConsoleEvent): ConsoleState {
  switch (event.type) {
    case 'opened':
      return moved(state, openAbove(state.places, event.pane, event.from));
    case 'became':
      return { ...state, places: becomeIn(state.places, event.pane, event.from) };
    case 'back':
      return moved(state, closePane(state.places, event.from));
    case 'turned':
      return { ...moved(state, turnTo(state.places, event.pane)), overlay: undefined };
    case 'went':
      return { ...moved(state, goTo(state.places, event.panes)), overlay: undefined };
    case 'stepped':
      return { ...state, ...step(state.history, state.places, event.to), overlay: undefined };
    case 'preview-toggled':
      return { ...state, preview: !state.preview };
    case 'noticed':
      return reduceNotice(state, event);
    case 'dismissed':
      return { ...state, failures: without(state.failures, [serialOnScreen(state)]) };
    case 'noted':
      if (state.note === event.note) return state;
      return { ...state, note: event.note, notice: event.note === undefined ? state.notice : undefined };
    case 'covered':
      return { ...state, overlay: event.overlay };
    case 'connected': {
      const { connection, area = presentStack(state.places)[0].opened } = event;
      const first = firstPane(connection.services, area);
      const { generation, preview } = state;
      return { ...openedConsole(connection, [first]), generation: generation + 1, preview };
    }
  }
}

function moved(state: ConsoleState, places: Places): ConsoleState {
  const standing = new Set(standingPanes(places).map(({ serial }) => serial));
  const closed = [...state.failures.keys()].filter((serial) => !standing.has(serial));
  const history = seen(state.history, state.places, places);
  return { ...state, places, history, failures: without(state.failures, closed) };
}

function without(failures: ConsoleState['failures'], serials: readonly number[]): ConsoleState['failures'] {
  return new Map([...failures].filter(([serial]) => !serials.includes(serial)));
}

function serialOnScreen({ places }: ConsoleState): number {
  const stack = presentStack(places);
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
 * The notice above the footer: the last one, what a session notes, or a failure of the pane on the screen that nobody has
 * dismissed. What covers the pane has none of that: its Esc closes it.
 */
export function shownNotice(state: ConsoleState): Notice | undefined {
  const { notice, note, failures, overlay } = state;
  if (notice !== undefined) return notice;
  if (note !== undefined) return { text: note, tone: 'told' };
  return overlay === undefined ? failures.get(serialOnScreen(state)) : undefined;
}
