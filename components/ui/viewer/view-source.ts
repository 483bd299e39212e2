import type { Task } from '../../../src/model/tasks/task.ts';
import type { Change } from '../../kit/changes.ts';
import type { Surface } from '../../kit/surface.ts';
import type { ActionResult, Dialog, PaneOutcome, Work } from '../forms/dialog.ts';
import type { Lines } from './source.ts';

/** The surface on which a document is drawn. */
export interface ViewSurface extends Surface {
  /** The first visible column of unwrapped lines; undefined if lines are wrapped. */
  readonly sideways?: number | undefined;
}

/** Work that can change the content of a document. */
export type ViewWork<Content> = Work<ViewOutcome<Content>>;

/** The result of a document's action. */
export type TextResult<Content> = ActionResult<ViewOutcome<Content>>;

/** The outcome of a document's action. Omitted parts have no effect. */
export interface ViewOutcome<Content> extends Omit<PaneOutcome, 'dialog' | 'next'> {
  /** The next question or form. */
  readonly dialog?: Dialog<ViewWork<Content>> | undefined;
  /** Returns the new content. */
  content?(before: Content): Content;
  /** Whether the content is shown from its beginning. */
  readonly afresh?: boolean;
  /** The command to run next. */
  readonly next?: ViewWork<Content> | undefined;
}

/** The definition of a document: its content, how it is drawn and reread, and which changes affect it. */
export interface ViewSource<Content> {
  readonly content: Content;
  /** Whether lines can be selected (otherwise the screen scrolls as a whole); can depend on the content. */
  readonly selects: boolean | ((content: Content) => boolean);
  /** Whether the document shows relative times, and must therefore be rebuilt for each frame. */
  readonly hasRelativeTimes?: boolean;
  /** Whether the document opens at its end, and follows the end until the user moves. */
  readonly fromEnd?: boolean;
  /** Whether `first` also refreshes the document in the background while it is on the screen. */
  readonly refreshes?: boolean;
  /** Returns whether the visible content of the document changes each second. */
  ticks?(content: Content): boolean;
  /** The command to run when the pane opens. */
  readonly first?: ViewWork<Content>;
  /** Returns the lines of the content; undefined if there is no content. */
  createLines(content: Content, surface: ViewSurface): Lines | undefined;
  /** Subscribes to live content: passes new content to the listener until the returned function is called. */
  watch?(became: (content: Content) => void): () => void;
  /**
   * Returns the content after unfolding the lines that hide an offset of the bytes; the same content if the offset is visible. Omitted for
   * a document that never hides lines.
   */
  reveal?(content: Content, lines: Lines, offset: number): Content;
  /** Returns the command that rereads the content after a change in another pane; undefined if the change does not affect the content. */
  follows?(change: Change, content: Content): ViewWork<Content> | undefined;
  /**
   * `isAbout`: whether a task concerns the document. `closesPane`: whether the end of the task closes the pane. `changes`: whether the end
   * of the task changes the content.
   */
  readonly tasks?: {
    isAbout(task: Task): boolean;
    closesPane(task: Task): boolean;
    changes?(task: Task): boolean;
  };
}

/** Returns whether lines of the content can be selected. */
export function selectsLines<Content>(
  selects: boolean | ((content: Content) => boolean),
  content: Content,
): boolean {
  return typeof selects === 'boolean' ? selects : selects(content);
}
