import { type Capability, refusalMessage } from '../../../src/model/capability.ts';
import type { Move } from './cursor.ts';
import type { Shortcut, Situation } from './shortcut.ts';

/** Returns why an action on the selected row is unavailable; false if it is available. */
export function noSelection(situation: Situation): string | false {
  if (situation.selected) return false;
  if (situation.loading === true) return 'Wait: the list is loading';
  return situation.folder === true
    ? 'A folder is selected: press Enter to open it, Space to mark its contents'
    : 'Nothing is selected';
}

/** Returns why an action on the selected row or folder is unavailable; false if it is available. */
export const noLine = (situation: Situation) => situation.folder !== true && noSelection(situation);

/** Returns why an action that changes the platform is unavailable; false if it is available. */
export function cannotWrite(situation: Situation): string | false {
  if (situation.readOnly) return 'This session is read-only';
  return whileBusy(situation);
}

/** Returns why an action must wait for running work; false if no work is running. */
export function whileBusy({ busy }: Situation): string | false {
  return busy !== undefined && `Wait: ${busy.words}`;
}

/** Returns why the backend lacks a capability; false if it has the capability. */
export function withoutCapability({ can }: Situation, capability: Capability): string | false {
  return can !== undefined && !can[capability] && refusalMessage(capability);
}

/** Returns why an action that adds to the list of namespaces is unavailable; false if it is available. */
export function cannotListNamespaces(situation: Situation): string | false {
  return withoutCapability(situation, 'listNamespaces') || cannotWrite(situation);
}

/** Returns why a namespace cannot be renamed; false if it can be renamed. */
export function cannotRenameNamespace(situation: Situation): string | false {
  return withoutCapability(situation, 'renameNamespaces') || cannotWriteSelected(situation);
}

/** Returns why the selected row cannot be changed; false if it can be changed. */
export const cannotWriteSelected = (situation: Situation) =>
  cannotWrite(situation) || noSelection(situation) || whileRowIsWritten(situation);

/** Returns why a row cannot be changed while a write is changing it; false if no write is changing the row. */
export function whileRowIsWritten({ rowWrite }: Situation): string | false {
  return rowWrite !== undefined && `Wait: ${rowWrite}`;
}

/** Shortcuts that move the cursor in every list and document. */
export const moveShortcuts: ReadonlyArray<Shortcut<Move>> = [
  {
    press: ['up', 'k'],
    label: 'up',
    helpLabel: 'one line up',
    about: 'Go up one line',
    does: 'up',
    quiet: true,
  },
  {
    press: ['down', 'j'],
    label: 'down',
    helpLabel: 'one line down',
    about: 'Go down one line',
    does: 'down',
    quiet: true,
  },
  { press: ['pageup', 'ctrl+b'], label: 'page up', about: 'Go up one page', does: 'page-up', quiet: true },
  {
    press: ['pagedown', 'ctrl+f'],
    label: 'page down',
    about: 'Go down one page',
    does: 'page-down',
    quiet: true,
  },
  {
    press: ['g', 'home'],
    label: 'first',
    helpLabel: 'first line',
    about: 'Go to the first line',
    does: 'first',
    quiet: true,
  },
  {
    press: ['G', 'end'],
    label: 'last',
    helpLabel: 'last line',
    about: 'Go to the last loaded line',
    does: 'last',
    quiet: true,
  },
];
