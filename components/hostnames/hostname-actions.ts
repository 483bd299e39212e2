import { hostnameGet, hostnameList } from '../../src/services/equivalents/hostnames.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import type { TextResult } from '../ui/viewer/view-source.ts';
import { actionsOnHostnames, diagnosingActions, type OnHostnames } from './actions-on-hostnames.ts';
import type { HostnameController } from './hostname-view.ts';

interface Here extends OnHostnames {
  readonly view: Pick<HostnameController, 'reading'>;
}

/** The actions in the pane of a hostname. */
export const hostnameActions: ReadonlyArray<PaneAction<Here, TextResult<HostnameRow>>> = [
  ...diagnosingActions(false),
  ...actionsOnHostnames(false),
  {
    does: 'copy',
    press: ['y'],
    label: 'copy',
    about: 'Copy the content of the selected line',
    unless: noSelection,
  },
  { does: 'next', press: ['tab'], label: 'next record', about: 'Go to the next record to set' },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the hostname',
    run: ({ view }) => view.reading,
    equivalents: ({ zone, record }) => (record ? [hostnameGet(zone.id, record)] : []),
  },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Go back to the hostnames',
    equivalents: ({ zone }) => [hostnameList(zone.id)],
  },
  ...moveShortcuts,
];
