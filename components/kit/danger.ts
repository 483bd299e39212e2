import type { UndoService } from '../../src/services/console/undo.ts';
import type { Danger, Shortcut, Situation } from './keys/shortcut.ts';
import type { Role } from './theme.ts';

/** How a question is drawn. */
interface DangerStyle {
  /** The horizontal line above the question: a bar fills the whole row with color. */
  readonly rule: { readonly shape: 'bar' | 'line'; readonly role: Role; readonly words: string };
  /** The question, or the title of a form. */
  readonly title: Role;
  /** Roles of the confirming answer, before and after it is selected, and of its key in the footer. */
  readonly answer: { readonly role: Role; readonly selected: Role; readonly press: Role };
}

/** The styles by degree of danger: each degree is more conspicuous than the next in color and in form. */
export const dangerStyles: Readonly<Record<Danger, DangerStyle>> = {
  permanent: {
    rule: { shape: 'bar', role: 'destroy', words: 'PERMANENT: cannot be undone' },
    title: 'fault',
    answer: { role: 'fault', selected: 'destroy', press: 'fault' },
  },
  undoable: {
    rule: { shape: 'line', role: 'warning', words: 'can be undone' },
    title: 'warning',
    answer: { role: 'plain', selected: 'selected', press: 'warning' },
  },
  change: {
    rule: { shape: 'line', role: 'border', words: '' },
    title: 'title',
    answer: { role: 'plain', selected: 'selected', press: 'press' },
  },
};

/** Whether the rule is drawn. The border of a frame replaces a line, but not a bar. */
export function hasRule(danger: Danger, isFramed: boolean): boolean {
  return !isFramed || dangerStyles[danger].rule.shape === 'bar';
}

/** Whether undo is turned on. Settings that cannot be read count as off: the action's question reports the failure. */
export function isUndoOn(undo: UndoService | undefined): boolean {
  try {
    return undo?.keeps === true;
  } catch {
    return false;
  }
}

/** Returns the danger of an action in a situation; undefined if the action destroys nothing. */
export function shortcutDanger(
  { danger }: Pick<Shortcut<string>, 'danger'>,
  situation: Situation,
  undoIsOn: boolean,
): Danger | undefined {
  const declared = typeof danger === 'function' ? danger(situation) : danger;
  return declared === 'undoable' && !undoIsOn ? 'permanent' : declared;
}

/** Returns the danger of an action that undo can reverse if undo is turned on. */
export function dangerWithUndo(undo: UndoService | undefined): Danger {
  return undo?.keeps === true ? 'undoable' : 'permanent';
}
