import type { Capabilities } from '../../../src/model/capability.ts';
import type { TaskState } from '../../../src/model/tasks/task.ts';
import type { Busy } from './busy.ts';
import type { Mode } from './modes.ts';
import type { Press } from './presses.ts';

/** Counts of a file's preview so far. */
export interface PreviewFound {
  /** Whether the file is still being read or compared. */
  readonly isReading: boolean;
  readonly wrong: number;
  /** Keys that would be created or changed. */
  readonly changes: number;
}

/** The state of a pane that decides which shortcuts are available. */
export interface Situation {
  readonly readOnly: boolean;
  /** Whether a row is selected, or a value is there. */
  readonly selected: boolean;
  /** Whether nothing has come yet: what waits for that is no refusal. */
  readonly loading?: boolean;
  /** Whether everything that the list has is loaded. */
  readonly complete?: boolean;
  /** Whether a folder of a tree is selected. */
  readonly folder?: boolean;
  /** What the platform was asked for; empty for all. */
  readonly prefix?: string | undefined;
  /** How many rows are marked. */
  readonly marked?: number;
  /** Counts of the preview of a file to import. */
  readonly preview?: PreviewFound;
  /** Whether a tree of JSON is on the screen; undefined in a pane that never has one. */
  readonly tree?: boolean | undefined;
  /** The work under way. */
  readonly busy?: Busy | undefined;
  /** Capabilities of the session's backend; all of them, where a pane does not say. */
  readonly can?: Capabilities;
  /** How the selected task is. */
  readonly task?: TaskState | undefined;
  /** Whether that task makes a list of what it has found. */
  readonly hasResults?: boolean;
  /** The label of Enter in the open form (default: save). */
  readonly submit?: string | undefined;
  /** Whether the open form has one field only. */
  readonly oneField?: boolean | undefined;
  /** Whether Tab completes what is typed in its field. */
  readonly completes?: boolean | undefined;
  /** Whether something is looked for in the text. */
  readonly searched?: boolean | undefined;
  /** Whether edgectl could change something for the better itself; undefined where that is not known. */
  readonly fixable?: boolean | undefined;
  /** Whether a question asks before something is lost: it must be answered on the keyboard. */
  readonly asks?: boolean | undefined;
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
  /** Whether its first two presses go two ways: the footer shows both. */
  readonly isPair?: boolean;
  /** Omitted from the footer: everyone tries it anyway. */
  readonly quiet?: boolean;
  /** Omitted from the footer in this situation, which has no use for it. */
  readonly quietIn?: (situation: Situation) => boolean;
}

/** The shortcuts of each mode. */
export type Keymap = { readonly [M in Mode]: ReadonlyArray<Shortcut<string>> };
