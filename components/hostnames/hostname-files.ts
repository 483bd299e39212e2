import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { formatHostnameCount } from '../../src/text/hostname.ts';
import { starting } from '../kit/keys/busy.ts';
import type { PaneParts } from '../kit/use-console.ts';
import {
  type FormValues,
  formDialog,
  type PaneOutcome,
  type Submitted,
  type Work,
} from '../ui/forms/dialog.ts';
import { hiddenLines, sampleLine } from '../ui/forms/dialog-lines.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { fileToRead, fileToWrite } from '../ui/forms/named-file.ts';
import { toMarkedHostnames } from './hostname-change.ts';

// Exports the hostnames of a zone to a file, and reconciles the hostnames with a file.

/** The input of the actions: the zone, and its marked hostnames. Without marks, an export contains all hostnames. */
interface Here {
  readonly zone: Zone;
  readonly marked: readonly CustomHostname[];
  readonly hidden: number;
  readonly parts: PaneParts;
}

const unnamed = { errors: { path: 'Enter the name of a file.' } };

/** Asks for the file to which the marked hostnames, or all hostnames, are exported. */
export function askToExport(here: Here): PaneOutcome {
  const { zone, marked, hidden } = here;
  const what = marked.length === 0 ? 'all hostnames' : formatHostnameCount(marked.length);
  const note =
    'Relative to the working directory. CSV; with .ndjson, .json or .tf: NDJSON, JSON or Terraform imports.';
  const form = openForm(
    `Export ${what} from ${zone.name}`,
    [{ name: 'path', label: 'File', value: `${zone.name}.csv`, note, completes: 'path' }],
    marked.length === 0
      ? ['Press i to reconcile this zone, or another zone, with an exported file.']
      : [...hiddenLines(hidden), sampleLine(marked.map(({ hostname }) => hostname))],
  );
  const dialog = formDialog({ ...form, submit: 'export' }, ({ path = '' }) =>
    path.trim() === '' ? unnamed : { work: exporting(here, path) },
  );
  return { dialog };
}

/** Returns the work that starts an export to a file. `agreed`: whether the user has agreed to overwrite an existing file. */
function exporting(here: Here, typed: string, agreed = false): Work {
  const { zone, marked, parts } = here;
  return {
    busy: starting,
    async run() {
      const again = agreed ? undefined : exporting(here, typed, true);
      const file = await fileToWrite(parts.world, typed, again);
      if (!('path' in file)) return file;
      const work = { does: 'export-hostnames', zone, path: file.path, replace: agreed } as const;
      await parts.tasks.start(work, toMarkedHostnames(marked));
      return { notice: 'Exporting: press 5 to see the task.' };
    },
  };
}

/** Asks for the file that lists the desired hostnames. */
export function askToReconcile({ zone, parts }: Here): PaneOutcome {
  const note = 'Relative to the working directory: CSV, NDJSON or a JSON array, such as an export (w).';
  const form = openForm(
    `Reconcile the hostnames in ${zone.name} with a file`,
    [
      { name: 'path', label: 'File', value: '', note, completes: 'path' },
      {
        name: 'prune',
        label: 'Others',
        value: 'keep',
        choices: [
          { value: 'keep', label: 'keep hostnames that are not in the file' },
          { value: 'delete', label: 'delete hostnames that are not in the file' },
        ],
      },
      {
        name: 'limit',
        label: 'Limit',
        value: '',
        note: 'Maximum number of deletes. Empty: no limit, but you must type the number of deletes to confirm.',
      },
    ],
    ['The changes are shown before anything is sent.'],
  );
  return { dialog: formDialog({ ...form, submit: 'plan' }, (values) => submitPlan(values, zone, parts)) };
}

function submitPlan(values: FormValues, zone: Zone, parts: PaneParts): Submitted {
  const { path: typed = '', prune: others, limit: limitText = '' } = values;
  if (typed.trim() === '') return unnamed;
  if (!/^\d{0,9}$/.test(limitText.trim())) return { errors: { limit: 'Must be 0 or more, or empty.' } };
  const prune = others === 'delete';
  const limit = limitText.trim() === '' ? undefined : Number(limitText.trim());
  return { work: planning({ typed, prune, limit }, zone, parts) };
}

interface PlanInput {
  /** The path as typed. */
  readonly typed: string;
  readonly prune: boolean;
  readonly limit: number | undefined;
}

/** Returns the work that starts the planning task for a file, and opens the plan. */
function planning({ typed, prune, limit }: PlanInput, zone: Zone, parts: PaneParts): Work {
  return {
    busy: { kind: 'reading', words: 'opening' },
    async run() {
      const file = await fileToRead(parts.world, typed);
      if ('errors' in file) return file;
      const wanted = { zone, path: file.path, prune, limit };
      const { id } = await parts.tasks.start({ does: 'plan-hostnames', ...wanted }, []);
      return { opens: { pane: 'plan', ...wanted, id } };
    },
  };
}
