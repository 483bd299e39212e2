import { type Capability, refusalMessage } from '../../../src/model/capability.ts';
import type { Move } from './cursor.ts';
import type { Shortcut, Situation } from './shortcut.ts';

/** Condition of actions on the selected row. */
export function noSelection(situation: Situation): string | false {
  if (situation.selected) return false;
  if (situation.loading === true) return 'Wait: the list is loading';
  return situation.folder === true
    ? 'A folder is selected: press Enter to open it, Space to mark its contents'
    : 'Nothing is selected';
}

/** Condition of actions on the selected row or folder. */
export const noLine = (situation: Situation) => situation.folder !== true && noSelection(situation);

/** Condition for actions that change something on the platform. */
export function cannotWrite(situation: Situation): string | false {
  if (situation.readOnly) return 'This session is read-only';
  return whileBusy(situation);
}

/** Condition for actions that cannot start while other work is running. */
export function whileBusy({ busy }: Situation): string | false {
  return busy !== undefined && `Wait: ${busy.words}`;
}

/** Condition for actions that require a capability of the backend. */
export function withoutCapability({ can }: Situation, capability: Capability): string | false {
  return can !== undefined && !can[capability] && refusalMessage(capability);
}

/** Condition for actions that add to the list of namespaces. */
export function cannotListNamespaces(situation: Situation): string | false {
  return withoutCapability(situation, 'listNamespaces') || cannotWrite(situation);
}

/** Condition for actions that change a namespace's title. */
export function cannotRenameNamespace(situation: Situation): string | false {
  return withoutCapability(situation, 'renameNamespaces') || cannotWriteSelected(situation);
}

/** Condition for actions that change the selected row. */
export const cannotWriteSelected = (situation: Situation) =>
  cannotWrite(situation) || noSelection(situation) || whileRowIsWritten(situation);

/** Condition for actions that change a row that another write is changing. */
export function whileRowIsWritten({ rowWrite }: Situation): string | false {
  return rowWrite !== undefined && `Wait: ${rowWrite}`;
}

/** Shortcuts that move the cursor in every list and document. */
export const moveShortcuts: ReadonlyArray<Shortcut<Move>> = [
  { press: ['up', 'k'], label: 'up', about: 'One line up', does: 'up', quiet: true },
  { press: ['down', 'j'], label: 'down', about: 'One line down', does: 'down', quiet: true },
  { press: ['pageup', 'ctrl+b'], label: 'page up', about: 'One page up', does: 'page-up', quiet: true },
  {
    press: ['pagedown', 'ctrl+f'],
    label: 'page down',
    about: 'One page down',
    does: 'page-down',
    quiet: true,
  },
  { press: ['g', 'home'], label: 'first', about: 'Go to the first line', does: 'first', quiet: true },
  { press: ['G', 'end'], label: 'last', about: 'Go to the last loaded line', does: 'last', quiet: true },
];
