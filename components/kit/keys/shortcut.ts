import type { Capabilities } from '../../../src/model/capability.ts';
import type { TaskState } from '../../../src/model/tasks/task.ts';
import type { Busy } from './busy.ts';
import type { Mode } from './modes.ts';
import type { Press } from './presses.ts';

/** The counts of an import file's preview so far. */
export interface PreviewFound {
  /** Whether the file is still being read or compared. */
  readonly isReading: boolean;
  readonly wrong: number;
  /** Number of keys that would be created or changed. */
  readonly changes: number;
}

/** The state of a pane that determines which shortcuts are available. */
export interface Situation {
  readonly readOnly: boolean;
  /** Whether a row is selected or a value is shown. */
  readonly selected: boolean;
  /** Whether nothing has been loaded yet. If so, an action that lacks a selection asks the user to wait. */
  readonly loading?: boolean;
  /** Whether the whole list is loaded. */
  readonly complete?: boolean;
  /** Whether the details of the selected row are on the screen. */
  readonly detailed?: boolean;
  /** Whether a folder of a tree is selected. */
  readonly folder?: boolean;
  /** Whether the list has no rows and no filter. */
  readonly empty?: boolean;
  /** The server filter; empty for all rows. */
  readonly prefix?: string | undefined;
  /** Number of marked rows. */
  readonly marked?: number;
  /** Counts of the preview of a file to import. */
  readonly preview?: PreviewFound;
  /** Whether a tree of JSON is on the screen; undefined in a pane that never shows a tree. */
  readonly tree?: boolean | undefined;
  /** The running write that changes the selected row or the document, for messages: `deleting`. */
  readonly rowWrite?: string | undefined;
  /** The running work; for a write, only while its form is open. */
  readonly busy?: Busy | undefined;
  /** Capabilities of the session's backend (default: all). */
  readonly can?: Capabilities;
  /** Whether the selected row of a worker is a secret; undefined in other panes. */
  readonly secret?: boolean;
  /** The state of the selected task. */
  readonly task?: TaskState | undefined;
  /** Whether the selected task has a list of results. */
  readonly hasResults?: boolean;
  /** The label of Enter in the open form (default: save). */
  readonly submit?: string | undefined;
  /** The label of Esc in the open menu (default: cancel). */
  readonly cancel?: string | undefined;
  /** Whether the open form has only one field. */
  readonly oneField?: boolean | undefined;
  /** Whether Tab completes the text of the focused field. */
  readonly completes?: boolean | undefined;
  /** Whether a search is active in the document. */
  readonly searched?: boolean | undefined;
  /** Whether edgectl can fix at least one cause itself; undefined if unknown. */
  readonly fixable?: boolean | undefined;
  /** Whether the open question is about data loss, and therefore cannot be answered with the mouse. */
  readonly asks?: boolean | undefined;
  /** The danger of the open question or form. */
  readonly danger?: Danger | undefined;
  /** Whether undo cannot save the selected item: a folder, or an object that is too large. */
  readonly beyondUndo?: boolean;
}

/**
 * The danger of a confirmed action. `permanent`: loses data that cannot be restored. `undoable`: loses data that undo can restore.
 * `change`: makes a change that another change can reverse.
 */
export type Danger = 'permanent' | 'undoable' | 'change';

/**
 * An action of a mode, and the presses that start it. A mode lists its actions by importance, because the footer shows the first five
 * actions that are available and not quiet.
 */
export interface Shortcut<Action extends string> {
  readonly press: readonly Press[];
  /** One or two words, for the footer. */
  readonly label: string;
  /** A longer label of up to about 20 columns, for help that shows labels without descriptions (default: `label`). */
  readonly helpLabel?: string;
  /** A label of up to 10 columns, for help with narrow columns (default: `label`). */
  readonly shortLabel?: string;
  /** Returns a label for the footer that depends on the situation; undefined for `label`. */
  readonly labelIn?: (situation: Situation) => string | undefined;
  /** A sentence without its full stop, for the help overlay and docs/keys.md. */
  readonly about: string;
  readonly does: Action;
  /** Returns why the action is unavailable; false if it is available. */
  readonly unless?: (situation: Situation) => string | false;
  /** The danger of a confirmed deletion; `undoable` applies only while undo is turned on. The footer and the help show the danger. */
  readonly danger?: Danger | ((situation: Situation) => Danger);
  /** Whether the first two presses are opposite directions; the footer then shows both presses. */
  readonly isPair?: boolean;
  /** Whether the footer omits the shortcut, because users try it without a hint. */
  readonly quiet?: boolean;
  /** Returns whether the footer omits the shortcut in this situation, because it would have no effect. */
  readonly quietIn?: (situation: Situation) => boolean;
}

/** The shortcuts of each mode. */
export type Keymap = { readonly [M in Mode]: ReadonlyArray<Shortcut<string>> };
