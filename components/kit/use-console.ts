import { createContext, useContext } from 'react';
import type { ConsoleMemory } from '../../src/profiles/console-memory.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { CliEquivalent } from '../../src/services/equivalents/cli-equivalent.ts';
import type { World } from '../../src/world.ts';
import type { PaneChanges } from './changes.ts';
import type { HeldWatch } from './held-watch.ts';
import type { Action } from './keys/action.ts';
import type { Mode } from './keys/modes.ts';
import type { Press } from './keys/presses.ts';
import type { Keymap, Situation } from './keys/shortcut.ts';
import type { KnownPlaces } from './known.ts';
import type { LiveSwitch } from './live-switch.ts';
import type { Messages, Notice, Tone } from './messages.ts';
import type { Notes } from './notes.ts';
import type { OpenPane, OpenPanes, PendingPress } from './open-pane.ts';
import type { Pulse } from './pulse.ts';
import type { SessionLabel } from './session-label.ts';
import type { Region, ScreenSize, Surface } from './surface.ts';
import type { ConsoleTasks } from './tasks.ts';
import type { StdinProxy } from './terminal/stdin-proxy.ts';
import type { Theme } from './theme.ts';
import type { PaneWrites } from './writes.ts';

/** The text from the editor, and the value with which the editor was opened. */
export interface Draft {
  readonly text: Uint8Array;
  readonly basis: Uint8Array;
}

/** The context in which a press is handled. */
export interface PressContext {
  readonly mode: Mode;
  readonly situation: Situation;
  readonly parts: ConsoleParts;
  perform(press: Press): void;
  /** Returns the equivalent commands of the actions in this pane. */
  readonly equivalents?: (() => readonly CliEquivalent[]) | undefined;
}

/** The shortcuts of each mode; shared shortcuts contain their actions. */
export interface ConsoleKeymap extends Keymap {
  readonly moving: ReadonlyArray<Action<PressContext>>;
  readonly nouns: ReadonlyArray<Action<PressContext>>;
  readonly global: ReadonlyArray<Action<PressContext>>;
}

/** The division of the width between lists and their previews, for all panes. */
export interface Division {
  /** Whether lists show a preview if there is room. */
  readonly hasPreview: boolean;
  /**
   * The list's share of the width, if the user has dragged the divider between list and preview; undefined if the content determines the
   * width.
   */
  readonly share: number | undefined;
  /** Sets the share; called while the divider is dragged. */
  drag(share: number): void;
}

/** The parts that all panes and components of the console share. */
export interface ConsoleParts extends Surface {
  readonly world: Pick<World, 'env' | 'now' | 'sleep' | 'folders' | 'cwd'>;
  readonly theme: Theme;
  /** The keymap, including the user's own keys. */
  readonly keys: ConsoleKeymap;
  readonly input: StdinProxy;
  readonly services: Services;
  readonly tasks: ConsoleTasks;
  /** The requests held by this user's guards. */
  readonly held: HeldWatch;
  readonly session: SessionLabel;
  readonly pulse?: Pulse | undefined;
  /** The switch that determines whether views are refreshed. */
  readonly live: LiveSwitch;
  /** Rows of the screen. */
  readonly rows: number;
  /** The size of the whole screen. The property `columns` of this object is the width of the pane's region. */
  readonly screen: ScreenSize;
  readonly region: Region;
  /** The division of the width between a list and its preview, which the user can change. */
  readonly division: Division;
  /** The current stack of panes; the last pane is on the screen. */
  readonly openPanes: readonly OpenPane[];
  /** The notice above the footer. A notice is shown until the next press, and a failure until the user dismisses it. */
  readonly notice: Notice | undefined;
  /** Shows a notice (default tone: success), or clears the last notice if `text` is undefined. A failure stays with its pane. */
  notify(text: string | undefined, tone?: Tone, from?: number): void;
  /** Removes the failure above the footer. */
  dismiss(): void;
  /** The messages since the console was opened. */
  readonly messages: Messages;
  /** Counts running calls, and collects messages to print after the console has exited. */
  readonly notes: Pick<Notes, 'begin' | 'leave'>;
  /** The saved views, bookmarks and visits of the current profile and account. */
  readonly memory: ConsoleMemory;
  /** The resources that lists have shown. */
  readonly known: KnownPlaces;
  /** Changes that panes announce to each other, per connection. */
  readonly changes: PaneChanges;
  /** Opens a pane in the area of the calling pane, even if another area is on the screen. */
  open(pane: OpenPane, from?: number): void;
  /** Changes the content of the calling pane, and its link and breadcrumb. */
  become(pane: OpenPane, from?: number): void;
  /** Closes the calling pane, unless the pane is the first of its area. */
  back(from?: number): void;
  /**
   * Switches to the area that begins with this pane, in its last state. If the area is already on the screen, closes all panes above the
   * first.
   */
  turnTo(first: OpenPane): void;
  /** Adds the view on the screen to the bookmarks, or removes it from the bookmarks. */
  bookmark(asked: Pick<Situation, 'prefix'>): void;
  /** Copies the link of the view on the screen, and shows the link. */
  copyLink(asked: Pick<Situation, 'prefix'>): void;
  /** Offers to copy commands as shell command lines or curl requests. */
  showEquivalents(commands: readonly CliEquivalent[]): void;
  /** Opens a stack of panes in their area, or the target of a link, and then presses `pending`. */
  goTo(place: OpenPanes | string, pending?: PendingPress): void;
  /** A press for a pane that handles it as soon as it is on the screen and has loaded its content. */
  readonly pending: PendingPress | undefined;
  /** Cancels the pending press, or marks it as handled. */
  clearPending(): void;
  /** Goes to the previous or next view in the history, with its state. */
  step(to: 'back' | 'forward'): void;
  /** Shows the help; `perform` runs the pane's action for a press. */
  showHelp(mode: Mode, situation: Situation, perform: (press: Press) => void): void;
  showPalette(mode: Mode, situation: Situation, perform: (press: Press) => void): void;
  chooseTarget(): void;
  /** Offers profiles, accounts and zones to switch to. */
  chooseActing(): void;
  /** Shows or hides the previews next to the lists. */
  togglePreview(): void;
  /** Reports the writes of the calling pane. A pane whose writes have not finished is kept even if the user leaves it. */
  reportWrites(writes: PaneWrites, from?: number): void;
  /** Goes to the pane of a write that failed or needs an answer. */
  recall(): void;
  /** Number of writes that failed or need an answer. */
  readonly unsettledWrites: number;
  /** A description of the first running write; undefined if none is running. */
  readonly runningWrite: string | undefined;
  /** Pauses or resumes refreshing in all views. */
  toggleLive(): void;
  /** Switches mouse reporting on or off. */
  toggleMouse(): void;
  quit(code: number): void;
  /** Copies bytes to the terminal's clipboard and returns a notice about the result. */
  copy(bytes: Uint8Array, what: string): string;
  /** Edited values that are not yet stored, by namespace and key. */
  readonly drafts: Map<string, Draft>;
  /** Opens a copy of the bytes in the user's editor. Resolves with the saved bytes. */
  editOutside(bytes: Uint8Array, extension: string): Promise<Uint8Array>;
}

/** The parts that a controller can keep, because they do not change while a pane is open. */
export type PaneParts = Pick<
  ConsoleParts,
  | 'world'
  | 'services'
  | 'tasks'
  | 'held'
  | 'session'
  | 'pulse'
  | 'live'
  | 'notes'
  | 'changes'
  | 'memory'
  | 'notify'
  | 'open'
  | 'become'
  | 'back'
  | 'copy'
  | 'reportWrites'
  | 'drafts'
  | 'editOutside'
>;

const Parts = createContext<ConsoleParts | undefined>(undefined);

/** Provides the console parts to all components below. */
export const ConsoleProvider = Parts.Provider;

/** Returns the console parts for this component. */
export function useConsole(): ConsoleParts {
  const parts = useContext(Parts);
  if (parts === undefined) throw new Error('a pane is rendered outside the console');
  return parts;
}
