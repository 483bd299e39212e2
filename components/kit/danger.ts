import type { UndoService } from '../../src/services/console/undo.ts';
import type { Danger, Shortcut, Situation } from './keys/shortcut.ts';
import type { Role } from './theme.ts';

/** The style of a question or form. */
interface DangerStyle {
  /** The rule above the question, which contains `words`: a horizontal line, or a bar that fills the row with color. */
  readonly rule: { readonly shape: 'bar' | 'line'; readonly role: Role; readonly words: string };
  /** The question, or the title of a form. */
  readonly title: Role;
  /** Roles of the confirming answer (unselected and selected), and of its key in the footer. */
  readonly answer: { readonly role: Role; readonly selected: Role; readonly press: Role };
}

/** The styles by degree of danger, most conspicuous first. */
export const dangerStyles: Readonly<Record<Danger, DangerStyle>> = {
  permanent: {
    rule: { shape: 'bar', role: 'destroy', words: 'PERMANENT: cannot be undone' },
    title: 'critical',
    answer: { role: 'critical', selected: 'destroy', press: 'critical' },
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

/**
 * Returns whether the rule is drawn. Without borders, the rule is always drawn. With borders, only a bar is drawn, because the border
 * replaces a line.
 */
export function hasRule(danger: Danger, isFramed: boolean): boolean {
  return !isFramed || dangerStyles[danger].rule.shape === 'bar';
}

/** Returns whether undo is turned on. Returns false if the settings cannot be read; the action's question reports that failure. */
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
