import { resolveTypedPath } from '../../src/files/typed-path.ts';
import { objectSync } from '../../src/services/equivalents/objects.ts';
import { checkPath } from '../../src/services/objects/file-check.ts';
import type { SyncStep } from '../../src/services/objects/sync.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { starting } from '../kit/keys/busy.ts';
import { moveShortcuts, noSelection, whileBusy } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { formDialog, type PaneOutcome, type Submitted, type Work } from '../ui/forms/dialog.ts';
import { sampleLine } from '../ui/forms/dialog-lines.ts';
import { openForm } from '../ui/forms/form-state.ts';
import type { ListResult } from '../ui/lists/list-state.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { tagMenu } from '../ui/lists/tag-menu.ts';
import type { OpenObjects } from './object-list.ts';
import { type OpenSync, type SyncRow, syncTags } from './sync-list.ts';
import { startNotice } from './task-start.ts';

/** The input of the actions: the list of steps, the selected row, the planned steps, and the parts of the pane. */
interface Here {
  readonly list: PagedList<SyncRow>;
  readonly row: SyncRow | undefined;
  /** The planned steps; undefined until both sides have been compared. */
  readonly steps: readonly SyncStep[] | undefined;
  readonly opened: OpenSync;
  readonly parts: PaneParts;
}

/** The actions on the steps of a sync. */
export const syncActions: ReadonlyArray<PaneAction<Here, ListResult>> = [
  {
    does: 'sync',
    press: ['ctrl+s'],
    label: 'carry out',
    about: 'Carry out exactly these steps, as a task, after confirmation',
    unless: whileBusy,
    run: askToSync,
    equivalents: ({ opened }) => [objectSync(opened)],
  },
  ...filterShortcuts,
  {
    does: 'status',
    press: ['s'],
    label: 'filter by step',
    about: 'Filter by kind of step, with counts',
    run: ({ list }) => ({ dialog: tagMenu(list, syncTags) }),
  },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy name',
    about: 'Copy the name of the object or file',
    unless: noSelection,
    run: ({ row, parts }) => row && { notice: parts.copy(Buffer.from(row.name), 'the name') },
  },
  { does: 'refresh', press: ['r'], label: 'reload', about: 'Compare both sides again' },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filters, then go back without syncing',
  },
  ...moveShortcuts,
];

/** Returns the form for the other side and the direction of a sync. Submitting the form opens the pane with the steps. */
export function syncForm({ bucket, folder }: OpenObjects, { world }: Pick<PaneParts, 'world'>): PaneOutcome {
  const here = `${bucket.name}/${folder}`;
  const form = openForm(
    `Sync ${here} with a folder`,
    [
      {
        name: 'path',
        label: 'Folder',
        value: '',
        completes: 'path',
        note: 'Relative to the working directory.',
      },
      {
        name: 'direction',
        label: 'Direction',
        value: 'upload',
        choices: [
          { value: 'upload', label: 'upload', about: `from the folder to ${here}` },
          { value: 'download', label: 'download', about: `from ${here} to the folder` },
        ],
      },
      {
        name: 'extra',
        label: 'Others',
        value: 'keep',
        choices: [
          { value: 'keep', label: 'keep items that exist only in the destination' },
          { value: 'delete', label: 'delete items that exist only in the destination' },
        ],
      },
    ],
    ['The steps are shown before anything is changed.'],
  );
  const dialog = formDialog({ ...form, submit: 'plan' }, (values): Submitted => {
    const { path: typed = '', direction = '', extra = '' } = values;
    if (typed.trim() === '') return { errors: { path: 'Enter the name of a folder.' } };
    const path = resolveTypedPath(world, typed);
    const isUpload = direction !== 'download';
    return {
      work: {
        busy: { kind: 'reading', words: 'checking the folder' },
        async run() {
          const found = await checkPath(path);
          if (found === 'file' || found === 'other') return { errors: { path: 'The path is not a folder.' } };
          if (found === 'no-folder' || (isUpload && found === 'free'))
            return { errors: { path: 'Folder not found.' } };
          const sides = { bucket: bucket.name, prefix: folder, path };
          const remove = extra === 'delete';
          return { opens: { pane: 'sync', ...sides, direction: isUpload ? 'upload' : 'download', remove } };
        },
      },
    };
  });
  return { dialog };
}

/** Returns the dialog that asks the user to confirm the steps, or the reason why they cannot be carried out. */
function askToSync({ steps, opened, parts }: Here): PaneOutcome {
  if (steps === undefined) return { refusal: 'Wait until both sides have been compared.' };
  if (steps.length === 0) return { refusal: 'No changes are needed.' };
  if (opened.direction === 'upload' && parts.session.readOnly)
    return { refusal: 'This session is read-only.' };
  return syncDialog(steps, opened, syncing(steps, opened, parts));
}

function syncing(steps: readonly SyncStep[], { pane: _, ...sides }: OpenSync, parts: PaneParts): Work {
  return {
    busy: starting,
    async run() {
      await parts.tasks.start({ does: 'sync-objects', ...sides }, steps);
      return { notice: startNotice('Syncing', sides.path), closesPane: true };
    },
  };
}

function syncDialog(
  steps: readonly SyncStep[],
  { bucket, prefix, path, direction }: OpenSync,
  command: Work,
) {
  const place = direction === 'upload' ? `${bucket}/${prefix}` : path;
  const transfers = steps.filter(({ action }) => action !== 'delete');
  const deletes = steps.filter(({ action }) => action === 'delete').map(({ name }) => name);
  const overwritten = transfers.filter(({ why }) => why === 'changed').map(({ name }) => name);
  const bytes = transfers.reduce((sum, { size }) => sum + size, 0);
  const title = `Sync ${place}: ${direction} ${groupDigits(transfers.length)} (${formatSize(bytes)}), delete ${groupDigits(deletes.length)}`;
  const lines = [
    ...(overwritten.length === 0 ? [] : [sampleLine(overwritten, 'Overwritten: ')]),
    ...(deletes.length === 0 ? [] : [sampleLine(deletes, 'Deleted: ')]),
  ];
  if (deletes.length === 0) {
    const danger = overwritten.length === 0 ? ('change' as const) : ('permanent' as const);
    const lost = lines.length === 0 ? ['Nothing is overwritten or deleted.'] : [...lines, noUndo];
    return {
      dialog: { kind: 'confirm', question: { question: `${title}?`, lost, danger, yes: 'sync' }, command },
    } as const;
  }
  const kind = direction === 'upload' ? 'objects' : 'files';
  const note = `Type ${deletes.length}, the number of ${kind} to delete.`;
  const form = openForm(title, [{ name: 'number', label: 'Number', value: '', note }], [...lines, noUndo]);
  const dialog = formDialog(
    { ...form, submit: 'sync', danger: 'permanent' },
    ({ number = '' }): Submitted =>
      number.trim() === String(deletes.length)
        ? { work: command }
        : { errors: { number: `Wrong number: type ${deletes.length}.` } },
  );
  return { dialog };
}

const noUndo = 'A sync cannot be undone.';
