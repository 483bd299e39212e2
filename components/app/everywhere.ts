import type { Action } from '../kit/keys/action.ts';
import { availableNouns, nouns, unavailableReason } from '../kit/nouns.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { ConsoleParts, PressContext } from '../kit/use-console.ts';
import { recallPress } from '../kit/writes.ts';

/** Actions that open another view, or save a link to the current view. */
export const movingActions: ReadonlyArray<Action<PressContext>> = [
  {
    press: [':'],
    label: 'go to',
    helpLabel: 'go to anything',
    about: 'Find any action or place by a few letters',
    does: 'palette',
    run: ({ parts, mode, situation, perform }) => parts.showPalette(mode, situation, perform),
  },
  {
    press: ['['],
    label: 'view before',
    helpLabel: 'go back',
    about: 'Go back to the previous view',
    does: 'go-back',
    quiet: true,
    run: ({ parts }) => parts.step('back'),
  },
  {
    press: [']'],
    label: 'view after',
    helpLabel: 'go forward',
    about: 'Go forward, after going back with [',
    does: 'go-forward',
    quiet: true,
    run: ({ parts }) => parts.step('forward'),
  },
  {
    press: ['b'],
    label: 'bookmark',
    helpLabel: 'bookmark view',
    about: 'Add this view to the bookmarks, or remove it',
    does: 'bookmark',
    quiet: true,
    run: ({ parts, situation }) => parts.bookmark(situation),
  },
  {
    press: ['@'],
    label: 'copy link',
    helpLabel: 'copy link to view',
    about: 'Copy a link to this view, for edgectl console',
    does: 'copy-link',
    quiet: true,
    run: ({ parts, situation }) => parts.copyLink(situation),
  },
];

/** The actions that switch to an area when the digit of the area is pressed. */
export const nounActions: ReadonlyArray<Action<PressContext>> = nouns.map(({ name, press, label }) => ({
  press: [press],
  label: label.toLowerCase(),
  about: name === 'home' ? 'Go to Home' : `Go to the ${label.toLowerCase()}`,
  does: name,
  quiet: true,
  run({ parts }) {
    const noun = availableNouns(parts.services).find((one) => one.name === name);
    if (noun === undefined) parts.notify(`${unavailableReason(name)}.`, 'refused');
    else parts.turnTo(noun.opens);
  },
}));

/** Actions that every pane has. */
export const globalActions: ReadonlyArray<Action<PressContext>> = [
  {
    press: ['t'],
    label: 'target',
    helpLabel: 'switch target',
    about: 'Switch between production, preview and local',
    does: 'target',
    run: ({ parts }) => parts.chooseTarget(),
  },
  {
    press: ['Z'],
    label: 'profile',
    helpLabel: 'switch profile',
    about: 'Switch to another profile, account or zone',
    does: 'acting',
    run: ({ parts }) => parts.chooseActing(),
  },
  {
    press: ['U'],
    label: 'undo',
    helpLabel: 'undo last change',
    about: 'Restore the last deleted or replaced item, or choose from all saved items',
    does: 'undo',
    quiet: true,
    run: ({ parts }) => openOnce({ pane: 'undo' }, parts),
  },
  {
    press: ['ctrl+g'],
    label: 'held requests',
    shortLabel: 'held',
    about: 'Approve or refuse requests that guards hold',
    does: 'held',
    quiet: true,
    run: ({ parts }) => openOnce({ pane: 'held' }, parts),
  },
  {
    press: ['ctrl+a'],
    label: 'audit log',
    about: 'Show writes to accounts, and refused requests',
    does: 'audit',
    quiet: true,
    run: ({ parts }) => openOnce({ pane: 'audit' }, parts),
  },
  {
    press: ['Y'],
    label: 'as command',
    helpLabel: 'copy as command',
    about: 'Copy the actions as commands or curl requests',
    does: 'equivalents',
    quiet: true,
    run: ({ parts, equivalents }) => {
      const shown = equivalents?.() ?? [];
      if (shown.length > 0) parts.showEquivalents(shown);
      else parts.notify('This view has no equivalent commands.', 'refused');
    },
  },
  {
    press: ['M'],
    label: 'messages',
    helpLabel: 'past messages',
    about: 'Show the messages so far, with times and request ids',
    does: 'messages',
    quiet: true,
    run: ({ parts }) => openOnce({ pane: 'messages' }, parts),
  },
  {
    press: ['!'],
    label: 'doctor',
    helpLabel: 'check the setup',
    about: 'Check credentials, platform, permissions, clock, folders and terminal',
    does: 'doctor',
    quiet: true,
    run: ({ parts }) => openOnce({ pane: 'doctor' }, parts),
  },
  {
    press: [','],
    label: 'settings',
    about: 'Show and change your settings',
    does: 'settings',
    quiet: true,
    run: ({ parts }) => openOnce({ pane: 'settings' }, parts),
  },
  {
    press: ['|'],
    label: 'preview',
    helpLabel: 'previews on or off',
    about: 'Show or hide previews: next to a list, or below a short list',
    does: 'preview',
    quiet: true,
    run: ({ parts }) => parts.togglePreview(),
  },
  {
    press: [recallPress],
    label: 'failed change',
    shortLabel: 'failed',
    about: 'Go to a change that failed or needs an answer',
    does: 'recall',
    quiet: true,
    run: ({ parts }) => parts.recall(),
  },
  {
    press: ['F'],
    label: 'pause',
    helpLabel: 'pause refreshing',
    about: 'Pause or resume automatic refreshing and live logs',
    does: 'live',
    quiet: true,
    run: ({ parts }) => parts.toggleLive(),
  },
  {
    press: ['&'],
    label: 'mouse',
    helpLabel: 'mouse on or off',
    about: 'Switch the mouse between the console (click, wheel, drag the divider) and the terminal',
    does: 'mouse',
    quiet: true,
    run: ({ parts }) => parts.toggleMouse(),
  },
  {
    press: ['?'],
    label: 'help',
    labelIn: () => 'more',
    about: 'Show all keys of this view; search them, or run an action',
    does: 'help',
    run: ({ parts, mode, situation, perform }) => parts.showHelp(mode, situation, perform),
  },
  {
    press: ['q'],
    label: 'quit',
    helpLabel: 'quit the console',
    about: 'Leave the console (exit code 0)',
    does: 'quit',
    run: ({ parts }) => parts.quit(0),
  },
];

/** Opens a pane on top of the open panes, or returns to the pane if it is already open. */
function openOnce(pane: OpenPane, { openPanes, open, goTo }: ConsoleParts): void {
  const at = openPanes.findIndex((opened) => opened.pane === pane.pane);
  const [first, ...rest] = openPanes.slice(0, at + 1);
  if (first === undefined) open(pane);
  else if (at < openPanes.length - 1) goTo([first, ...rest]);
}
