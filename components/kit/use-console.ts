import { createContext, useContext } from 'react';
import type { ConsoleMemory } from '../../src/profiles/console-memory.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { CliEquivalent } from '../../src/services/equivalents/cli-equivalent.ts';
import type { World } from '../../src/world.ts';
import type { PaneChanges } from './changes.ts';
import type { Action } from './keys/action.ts';
import type { Mode } from './keys/modes.ts';
import type { Press } from './keys/presses.ts';
import type { Keymap, Situation } from './keys/shortcut.ts';
import type { KnownPlaces } from './known.ts';
import type { Messages, Notice, Tone } from './messages.ts';
import type { Notes } from './notes.ts';
import type { OpenPane, OpenPanes } from './open-pane.ts';
import type { Pulse } from './pulse.ts';
import type { SessionLabel } from './session-label.ts';
import type { Region, ScreenSize, Surface } from './surface.ts';
import type { ConsoleTasks } from './tasks.ts';
import type { StdinProxy } from './terminal/stdin-proxy.ts';
import type { Theme } from './theme.ts';

/** A string from the editor, and the value from which it was made. */
export interface Draft {
  readonly text: Uint8Array;
  readonly basis: Uint8Array;
}

/** Where a press was made, and the pane's function for the action of another press. */
export interface Pressed {
  readonly mode: Mode;
  readonly situation: Situation;
  readonly parts: ConsoleParts;
  perform(press: Press): void;
  /** The commands that do the same as the actions here. */
  readonly equivalents?: (() => readonly CliEquivalent[]) | undefined;
}

/** The shortcuts of each mode; those of every pane say what they do. */
export interface ConsoleKeymap extends Keymap {
  readonly moving: ReadonlyArray<Action<Pressed>>;
  readonly nouns: ReadonlyArray<Action<Pressed>>;
  readonly global: ReadonlyArray<Action<Pressed>>;
}

/** Everything that panes and widgets share. */
export interface ConsoleParts extends Surface {
  readonly world: Pick<World, 'env' | 'now' | 'sleep' | 'folders' | 'cwd'>;
  readonly theme: Theme;
  /** The presses, the reader's own among them. */
  readonly keys: ConsoleKeymap;
  readonly input: StdinProxy;
  readonly services: Services;
  readonly tasks: ConsoleTasks;
  readonly session: SessionLabel;
  readonly pulse?: Pulse | undefined;
  /** Rows of the screen. */
  readonly rows: number;
  /** The whole screen; `columns` are those of the region of a pane. */
  readonly screen: ScreenSize;
  readonly region: Region;
  /** The region next to it; undefined if there is none. */
  readonly beside?: Region | undefined;
  /** Where the reader is: the stack of panes, the one on the screen last. */
  readonly openPanes: readonly OpenPane[];
  /** A line above the footer: until the next press, and a failure of this view until it is dismissed. */
  readonly notice: Notice | undefined;
  /** Shows an escaped notice, or removes the last one. Without a tone, something was done. A failure stays with its pane. */
  notify(text: string | undefined, tone?: Tone, from?: number): void;
  /** Removes the failure above the footer. */
  dismiss(): void;
  /** The messages since the console was opened. */
  readonly messages: Messages;
  /** Receives the begin and end of calls, so that a session's notes about them end with them. */
  readonly notes: Pick<Notes, 'begin' | 'leave'>;
  /** The stored memory of the present profile and account. */
  readonly memory: ConsoleMemory;
  /** Places that lists have shown. */
  readonly known: KnownPlaces;
  /** Changes that panes announce to each other. They belong to the connection. */
  readonly changes: PaneChanges;
  /** Drills down, in the area of the pane that says so, also when another is on the screen. */
  open(pane: OpenPane, from?: number): void;
  /** Changes what the calling pane shows, for its link and its breadcrumb. */
  become(pane: OpenPane, from?: number): void;
  /** Closes the pane that says so; nothing at the first of an area. */
  back(from?: number): void;
  /** Turns to the area of a pane, where it was left; on the screen already, to its first pane. */
  turnTo(first: OpenPane): void;
  /** Adds the view on the screen to the bookmarks, or removes it. */
  bookmark(asked: Pick<Situation, 'prefix'>): void;
  /** Copies the link of the view on the screen, and says it. */
  copyLink(asked: Pick<Situation, 'prefix'>): void;
  /** Offers to copy commands as lines for a shell. */
  showEquivalents(commands: readonly CliEquivalent[]): void;
  /** Opens panes of an area, one above the other, or what a link names. */
  goTo(place: OpenPanes | string): void;
  /** To the view before or after this one, in the state that it had. */
  step(to: 'back' | 'forward'): void;
  /** `perform` runs the pane's action for a press. */
  showHelp(mode: Mode, situation: Situation, perform: (press: Press) => void): void;
  showPalette(mode: Mode, situation: Situation, perform: (press: Press) => void): void;
  chooseTarget(): void;
  /** Offers profiles, accounts and zones to act as and in. */
  chooseActing(): void;
  /** Shows or hides the previews next to the lists. */
  togglePreview(): void;
  /** Takes the mouse, or leaves it to the terminal. */
  toggleMouse(): void;
  quit(code: number): void;
  /** Hands bytes to the terminal's clipboard; the answer says what happened, in words. */
  copy(bytes: Uint8Array, what: string): string;
  /** Strings from the editor that are not stored yet, by namespace and key. */
  readonly drafts: Map<string, Draft>;
  /** Gives the terminal to the reader's editor on a copy of these bytes; resolves with what was saved. */
  editOutside(bytes: Uint8Array, extension: string): Promise<Uint8Array>;
}

/** The parts that never change while a pane is open, so that a controller can keep them. */
export type PaneParts = Pick<
  ConsoleParts,
  | 'world'
  | 'services'
  | 'tasks'
  | 'session'
  | 'pulse'
  | 'notes'
  | 'changes'
  | 'memory'
  | 'notify'
  | 'open'
  | 'become'
  | 'back'
  | 'copy'
  | 'drafts'
  | 'editOutside'
>;

const Parts = createContext<ConsoleParts | undefined>(undefined);

/** Gives the parts to everything below. */
export const ConsoleProvider = Parts.Provider;

/** The parts of the console around this component. */
export function useConsole(): ConsoleParts {
  const parts = useContext(Parts);
  if (parts === undefined) throw new Error('a pane stands outside of the console');
  return parts;
}
