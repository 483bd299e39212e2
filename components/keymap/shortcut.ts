import type { Capabilities } from '../../src/model/capability.ts';
import type { TaskState } from '../../src/model/tasks/task.ts';
import type { Busy } from './busy.ts';
import type { Press } from './presses.ts';

/** What the preview of a file has found so far. */
export interface PreviewFound {
  /** Whether the file is still being read or compared. */
  readonly isReading: boolean;
  readonly wrong: number;
  /** Keys that would be created or changed. */
  readonly changes: number;
}

/** What decides whether a shortcut is available. */
export interface Situation {
  readonly readOnly: boolean;
  /** Whether a row is selected, or a value is there. */
  readonly selected: boolean;
  /** How many rows are marked. */
  readonly marked?: number;
  /** What the preview of a file to import has found. */
  readonly preview?: PreviewFound;
  /** What is being written at the moment, in words. */
  readonly busy?: Busy | undefined;
  /** What can be done where the session acts; everything, where a pane does not say. */
  readonly can?: Capabilities;
  /** How the selected task is. */
  readonly task?: TaskState | undefined;
  /** What Enter does in the form that is open, in a word; it saves where nothing is said. */
  readonly submit?: string | undefined;
}

/** One action of a mode, and the presses that start it. */
export interface Shortcut<Action extends string> {
  readonly press: readonly Press[];
  /** One or two words, for the footer. */
  readonly label: string;
  /** Another label for the footer, where the situation has one. */
  readonly labelIn?: (situation: Situation) => string | undefined;
  /** A sentence without its full stop, for the help overlay and docs/keys.md. */
  readonly about: string;
  readonly does: Action;
  /** Why it cannot be done now, or false. */
  readonly unless?: (situation: Situation) => string | false;
  /** Left out of the footer: everyone tries it anyway. */
  readonly quiet?: boolean;
}
