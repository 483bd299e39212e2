import type { Task } from '../../../src/model/tasks/task.ts';
import type { Change } from '../../kit/changes.ts';
import type { Surface } from '../../kit/surface.ts';
import type { ActionResult, Dialog, PaneOutcome, Work } from '../forms/dialog.ts';
import type { Lines } from './source.ts';

/** The screen on which a document is read. */
export interface ViewSurface extends Surface {
  /** The first visible column of unwrapped lines; if omitted, lines are wrapped. */
  readonly sideways?: number | undefined;
}

/** Work that may change the content of a document. */
export type ViewWork<Content> = Work<ViewOutcome<Content>>;

/** The result of an action of a document. */
export type TextResult<Content> = ActionResult<ViewOutcome<Content>>;

/** The outcome of an action of a document. Omitted parts do not happen. */
export interface ViewOutcome<Content> extends Omit<PaneOutcome, 'dialog'> {
  /** The question or form that follows. */
  readonly dialog?: Dialog<ViewWork<Content>> | undefined;
  /** Returns the new content. */
  content?(before: Content): Content;
  /** It is shown from its beginning. */
  readonly afresh?: boolean;
  /** The command to carry out next. */
  readonly next?: ViewWork<Content>;
}

/** Everything that sets one viewer apart from another: its content, commands and forms. */
export interface ViewSource<Content> {
  readonly content: Content;
  /** Whether a line is selected, or the screen moves as a whole; it may depend on what is shown. */
  readonly selects: boolean | ((content: Content) => boolean);
  /** Whether the document shows relative times, and is rebuilt whenever it is drawn. */
  readonly ages?: boolean;
  /** Whether it is first shown at its end, and follows that until the reader moves. */
  readonly fromEnd?: boolean;
  /** Whether its visible facts change each second. */
  ticks?(content: Content): boolean;
  /** Carried out when the pane opens. */
  readonly first?: ViewWork<Content>;
  /** The text of a content; undefined while there is none. */
  linesOf(content: Content, surface: ViewSurface): Lines | undefined;
  /** Content that arrives by itself: calls the listener with it until the returned function is called. */
  watch?(became: (content: Content) => void): () => void;
  /** Returns the content that shows an offset of these lines' bytes; the same where they show it. Without it nothing is hidden. */
  reveal?(content: Content, lines: Lines, offset: number): Content;
  /** Takes in a change made elsewhere in this console: returns the command that reads it, or undefined if it is about something else. */
  follows?(change: Change, content: Content): ViewWork<Content> | undefined;
  /** Tasks that are about it: whether the end of one leaves nothing to show, or something else. */
  readonly tasks?: {
    isAbout(task: Task): boolean;
    leaves(task: Task): boolean;
    changes?(task: Task): boolean;
  };
}

/** Whether lines of a content are selected. */
export function isSelecting<Content>(
  selects: boolean | ((content: Content) => boolean),
  content: Content,
): boolean {
  return typeof selects === 'boolean' ? selects : selects(content);
}
