import type { PaneAction } from '../kit/keys/action.ts';
import { cannotWriteSelected, moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { ConsoleParts } from '../kit/use-console.ts';
import type { HomeController } from './home-controller.ts';
import { type HomeLine, isSelectable } from './lines.ts';

/** The input of the actions: Home's controller, the selected line, and the parts of the pane. */
interface Here {
  readonly home: HomeController;
  readonly line: HomeLine | undefined;
  readonly parts: ConsoleParts;
}

/** The actions of Home. */
export const homeActions: ReadonlyArray<PaneAction<Here>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'go there',
    about: 'Open the item that the selected line describes',
    unless: noSelection,
    run({ line, parts }) {
      if (!isSelectable(line)) return;
      const { goal } = line;
      if ('opens' in goal) parts.open(goal.opens);
      else if ('turns' in goal) parts.turnTo(goal.turns);
      else parts.goTo(goal.link);
    },
  },
  {
    does: 'diagnose',
    press: ['D'],
    label: 'diagnose',
    about: 'Diagnose the selected hostname: cause, who must act, and the fix',
    unless: noSelection,
    run({ line, parts }) {
      const pane = findHostname(line);
      if (pane === undefined) parts.notify(noHostname, 'refused');
      else parts.open({ pane: 'diagnosis', zone: pane.zone, hostname: pane.row.record.hostname, fix: false });
    },
  },
  {
    does: 'revalidate',
    press: ['R'],
    label: 'restart validation',
    about: 'Open the selected hostname, and restart its validation after confirmation',
    quiet: true,
    unless: cannotWriteSelected,
    run({ line, parts }) {
      const pane = findHostname(line);
      if (pane === undefined) parts.notify(noHostname, 'refused');
      else parts.open({ ...pane, asksToRestart: true });
    },
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload all parts of Home',
    quiet: true,
    run: ({ home }) => home.read(),
  },
  ...moveShortcuts,
];

const noHostname = 'The line is not about a hostname.';

/** Returns the pane of the line's hostname; undefined if the line is not about a hostname. */
function findHostname(line: HomeLine | undefined): Extract<OpenPane, { pane: 'hostname' }> | undefined {
  const pane = isSelectable(line) && 'opens' in line.goal ? line.goal.opens : undefined;
  return pane?.pane === 'hostname' ? pane : undefined;
}
