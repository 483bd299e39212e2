import type { Task } from '../../../src/model/tasks/task.ts';
import type { Change } from '../../kit/changes.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import type { Surface } from '../../kit/surface.ts';
import type { ActionResult, Dialog, FormDialog, PaneOutcome, Work } from '../forms/dialog.ts';
import type { Lines } from './source.ts';
import type { ViewParts } from './view-state.ts';

/** The screen that a text is read on. */
export interface ViewSurface extends Surface {
  /** The first column that is shown of lines that are not wrapped; left out, lines are wrapped. */
  readonly sideways?: number | undefined;
}

export type ViewDialogOf<V extends ViewParts> = Dialog<V['command'], V['purpose'], V['subject']>;

/** The result of a command: effects on the pane. Those left out do not happen. */
export interface ViewOutcome<V extends ViewParts> extends Omit<PaneOutcome, 'dialog'> {
  /** The dialog that follows: another question or form. */
  readonly dialog?: ViewDialogOf<V> | undefined;
  /** Returns the new content. */
  content?(before: V['content']): V['content'];
  /** It is shown from its beginning. */
  readonly afresh?: boolean;
  /** The command to carry out next. */
  readonly next?: V['command'];
}

/** Everything that sets one viewer apart from another: its content, commands and forms. */
export interface ViewSource<V extends ViewParts> {
  readonly content: V['content'];
  /** Whether a line is selected, or the screen moves as a whole; it may depend on what is shown. */
  readonly selects: boolean | ((content: V['content']) => boolean);
  /** Whether the text tells what time it is, and is made anew whenever it is drawn. */
  readonly ages?: boolean;
  /** Whether it is first shown at its end, and follows that until the reader moves. */
  readonly fromEnd?: boolean;
  /** Whether what is told of it changes each second by itself, as far as it is on the screen. */
  ticks?(content: V['content']): boolean;
  /** Carried out when the pane opens. */
  readonly first?: V['command'];
  /** The text of a content; undefined while there is none. */
  linesOf(content: V['content'], surface: ViewSurface): Lines | undefined;
  /** Words for the header while a command runs. */
  readonly busyWith?: Readonly<Record<string, Busy>>;
  carryOut?(command: V['command'], signal: AbortSignal): Promise<ViewOutcome<V>>;
  readForm?(
    form: FormDialog<V['purpose'], V['subject']>,
  ): { readonly command: V['command'] } | { readonly errors: Readonly<Record<string, string>> };
  /** Content that comes by itself: calls the listener with it until the returned function is called. */
  watch?(became: (content: V['content']) => void): () => void;
  /** Returns the content that shows an offset of these lines' bytes; the same where they show it. Without it nothing is hidden. */
  reveal?(content: V['content'], lines: Lines, offset: number): V['content'];
  /** Takes in a change made elsewhere in this console: returns the command that reads it, or undefined if it is about something else. */
  follows?(change: Change, content: V['content']): V['command'] | undefined;
  /** Tasks that are about it: whether the end of one leaves nothing to show, or something else. */
  readonly tasks?: {
    isAbout(task: Task): boolean;
    leaves(task: Task): boolean;
    changes?(task: Task): boolean;
  };
}

/** A text whose actions say themselves what they do. */
export interface TextOf<Content> extends ViewParts {
  readonly content: Content;
  readonly command: Work<ViewOutcome<TextOf<Content>>>;
  readonly purpose: 'form';
  readonly subject: undefined;
}

/** What an action of such a text does. */
export type TextResult<Content> = ActionResult<ViewOutcome<TextOf<Content>>>;

/** Whether lines of a content are selected. */
export function isSelecting<Content>(
  selects: boolean | ((content: Content) => boolean),
  content: Content,
): boolean {
  return typeof selects === 'boolean' ? selects : selects(content);
}
