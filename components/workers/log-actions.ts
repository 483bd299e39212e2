import { workerTail } from '../../src/services/equivalents/workers.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import { searchShortcuts } from '../kit/keys/searching.ts';
import { wrapShortcuts } from '../kit/keys/wrapping.ts';
import type { ConsoleParts } from '../kit/use-console.ts';
import type { ActionResult } from '../ui/forms/dialog.ts';
import type { LogView } from './log-view.ts';

/** The input of the actions: the live log, the worker's name, and the part of the pane that closes messages. */
interface Here {
  readonly view: LogView;
  readonly worker: string;
  readonly parts: Pick<ConsoleParts, 'dismiss'>;
}

/** Actions on the live log of a worker. */
export const logActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  {
    does: 'next',
    press: ['tab'],
    label: 'next failure',
    about: 'Go to the next failed run',
    unless: noSelection,
  },
  ...searchShortcuts,
  {
    does: 'copy',
    press: ['y'],
    label: 'copy',
    about: 'Copy the line; on the first line of a run, copy the whole run as JSON',
    unless: noSelection,
  },
  ...wrapShortcuts,
  {
    does: 'refresh',
    press: ['r'],
    label: 'reconnect',
    about: 'Reconnect to the log',
    run({ view, parts }) {
      parts.dismiss();
      view.tail.connect();
      return undefined;
    },
    equivalents: ({ worker }) => [workerTail(worker)],
  },
  { does: 'back', press: ['esc', 'left', 'h'], label: 'back', about: 'Disconnect from the log, and go back' },
  ...moveShortcuts,
];
