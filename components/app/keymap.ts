import { comparisonActions } from '../comparison/comparison-actions.ts';
import { differenceActions } from '../comparison/difference-actions.ts';
import { doctorActions } from '../doctor/doctor-actions.ts';
import { auditActions, auditRecordActions } from '../guard/audit-actions.ts';
import { heldActions, heldRequestActions } from '../guard/held-actions.ts';
import { homeActions } from '../home/home-actions.ts';
import { diagnosesActions } from '../hostnames/diagnoses/diagnoses-actions.ts';
import { diagnosisActions } from '../hostnames/diagnosis-actions.ts';
import { forecastActions } from '../hostnames/forecast/forecast-actions.ts';
import { hostnameActions } from '../hostnames/hostname-actions.ts';
import { hostnamesActions } from '../hostnames/hostnames-actions.ts';
import { instructionsActions } from '../hostnames/instructions/instructions-actions.ts';
import { planActions } from '../hostnames/plan/plan-actions.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { modeTitles } from '../kit/keys/modes.ts';
import { formatPress } from '../kit/keys/presses.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';
import type { ConsoleKeymap } from '../kit/use-console.ts';
import { importActions } from '../kv/import-actions.ts';
import { keyActions } from '../kv/key-actions.ts';
import { namespaceActions } from '../kv/namespace-actions.ts';
import { valueActions } from '../kv/value-actions.ts';
import { messageActions } from '../messages/message-actions.ts';
import { bucketActions } from '../objects/bucket-actions.ts';
import { objectActions } from '../objects/object-actions.ts';
import { previewActions } from '../objects/preview-actions.ts';
import { syncActions } from '../objects/sync-actions.ts';
import { paletteKeymap } from '../palette/keymap.ts';
import { settingActions } from '../settings/setting-actions.ts';
import { taskActions, taskListActions } from '../tasks/task-actions.ts';
import { dialogKeymaps } from '../ui/forms/keymap.ts';
import { undoActions } from '../undo/undo-actions.ts';
import { logActions } from '../workers/log-actions.ts';
import { workerActions } from '../workers/worker-actions.ts';
import { workersActions } from '../workers/workers-actions.ts';
import { recordActions } from '../zones/record-actions.ts';
import { globalActions, movingActions, nounActions } from './everywhere.ts';

/** All shortcuts of the console. The footer, the help, docs/keys.md and the user's own keymap are built from this table. */
export const keymap: ConsoleKeymap = {
  home: homeActions,
  namespaces: namespaceActions,
  keys: keyActions,
  value: valueActions,
  comparison: comparisonActions,
  differences: differenceActions,
  import: importActions,
  buckets: bucketActions,
  objects: objectActions,
  preview: previewActions,
  sync: syncActions,
  workers: workersActions,
  worker: workerActions,
  logs: logActions,
  tasks: taskListActions,
  task: taskActions,
  hostnames: hostnamesActions,
  hostname: hostnameActions,
  instructions: instructionsActions,
  diagnosis: diagnosisActions,
  diagnoses: diagnosesActions,
  forecast: forecastActions,
  records: recordActions,
  plan: planActions,
  messages: messageActions,
  doctor: doctorActions,
  settings: settingActions,
  undo: undoActions,
  held: heldActions,
  'held-request': heldRequestActions,
  audit: auditActions,
  'audit-record': auditRecordActions,
  ...dialogKeymaps,
  help: [
    {
      press: ['esc'],
      label: 'close',
      labelIn: ({ searched }) => (searched === true ? 'clear' : undefined),
      about: 'Clear the search, then close the help',
      does: 'close',
    },
    { press: ['?'], label: 'close help', about: 'Close the help', does: 'help', quiet: true },
    { press: ['enter'], label: 'run', about: 'Run the selected action', does: 'run' },
    { press: ['tab'], label: 'next group', about: 'Go to the next group', does: 'next-group' },
    {
      press: ['shift+tab'],
      label: 'previous group',
      about: 'Go to the previous group',
      does: 'previous-group',
      quiet: true,
    },
    { press: ['up'], label: 'up', about: 'Go up one line', does: 'up', quiet: true },
    { press: ['down'], label: 'down', about: 'Go down one line', does: 'down', quiet: true },
    { press: ['pageup'], label: 'page up', about: 'Go up one page', does: 'page-up', quiet: true },
    { press: ['pagedown'], label: 'page down', about: 'Go down one page', does: 'page-down', quiet: true },
  ],
  palette: paletteKeymap,
  moving: movingActions,
  nouns: nounActions,
  global: globalActions,
  always: [
    {
      press: ['ctrl+c'],
      label: 'interrupt',
      helpLabel: 'quit immediately',
      about: 'Leave immediately (exit code 130)',
      does: 'interrupt',
    },
    {
      press: ['ctrl+z'],
      label: 'suspend',
      helpLabel: 'suspend to shell',
      about: 'Suspend to the shell; fg resumes',
      does: 'suspend',
    },
    {
      press: ['ctrl+l'],
      label: 'redraw',
      helpLabel: 'redraw the screen',
      about: 'Redraw the screen',
      does: 'redraw',
    },
  ],
};

/** The tables in docs/keys.md, with the modes of each table. */
const areas = {
  Everywhere: ['always', 'global', 'nouns', 'moving'],
  Home: ['home'],
  'Key-value': ['namespaces', 'keys', 'value', 'comparison', 'differences', 'import'],
  Objects: ['buckets', 'objects', 'preview', 'sync'],
  Hostnames: [
    ...(['hostnames', 'hostname', 'instructions', 'diagnosis', 'diagnoses', 'forecast', 'records'] as const),
    'plan',
  ],
  Workers: ['workers', 'worker', 'logs'],
  'Tasks, undo, messages and settings': ['tasks', 'task', 'undo', 'messages', 'doctor', 'settings'],
  Guards: ['held', 'held-request', 'audit', 'audit-record'],
  Dialogs: [
    ...([
      'filter',
      'prefix',
      'contains',
      'search',
      'form',
      'choice',
      'confirm',
      'approval',
      'menu',
      'problem',
    ] as const),
    ...(['help', 'palette'] as const),
  ],
} as const satisfies Readonly<Record<string, readonly Mode[]>>;

/** The modes that no table lists. */
type Unlisted = Exclude<Mode, (typeof areas)[keyof typeof areas][number]>;

/** The title of the table with the shortcuts that several panes share. */
const sharedArea = 'Lists and documents';

/** Minimum number of panes that must share a shortcut for it to be listed in the shared table. */
const minSharedPanes = 3;

/** One row of a table in docs/keys.md. */
export interface KeymapRow {
  readonly area: string;
  /** The panes that have the shortcut; empty for a row of the shared table. */
  readonly panes: readonly string[];
  /** The presses as displayed: `Enter`, `→`, `l`. */
  readonly presses: readonly string[];
  readonly about: string;
  /** The action's name in keys.toml. */
  readonly action: string;
}

/**
 * Returns the rows of the tables in docs/keys.md. Each shortcut is listed once per table, with its panes; shortcuts of the shared table are
 * listed only there.
 */
export function keymapRows(): KeymapRow[] {
  // Fails to compile if a mode is missing from all tables.
  const tables = areas satisfies [Unlisted] extends [never] ? object : { readonly missing: Unlisted };
  const all = Object.entries(tables).flatMap(([area, modes]) =>
    modes.flatMap((mode) => keymap[mode].map((shortcut) => ({ area, mode, shortcut }))),
  );
  const shortcutKey = ({ press, about, does }: Shortcut<string>) => JSON.stringify([press, about, does]);
  const isPane = (area: string) => area !== 'Everywhere' && area !== 'Dialogs';
  const counts = Map.groupBy(
    all.filter(({ area }) => isPane(area)),
    ({ shortcut }) => shortcutKey(shortcut),
  );
  const isShared = (area: string, shortcut: Shortcut<string>) =>
    isPane(area) && (counts.get(shortcutKey(shortcut))?.length ?? 0) >= minSharedPanes;
  const toRows = (area: string, found: readonly (typeof all)[number][]): KeymapRow[] => {
    const [first] = found;
    if (first === undefined) return [];
    const { press, about, does } = first.shortcut;
    const panes = [...new Set(found.map(({ mode }) => modeTitles[mode]))];
    return [{ area, panes, presses: press.map(formatPress), about, action: does }];
  };
  const shared = [...counts.values()]
    .filter(([one]) => one !== undefined && isShared(one.area, one.shortcut))
    .flatMap((found) => toRows(sharedArea, found).map((row) => ({ ...row, panes: [] })));
  const special = Object.keys(areas).flatMap((area) => {
    const own = all.filter((one) => one.area === area && !isShared(area, one.shortcut));
    return [...Map.groupBy(own, ({ shortcut }) => shortcutKey(shortcut)).values()].flatMap((found) =>
      toRows(area, found),
    );
  });
  return [...shared, ...special];
}
