import { groupDigits } from '../../src/text/size.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { starting } from '../kit/keys/busy.ts';
import { cannotWrite, moveShortcuts } from '../kit/keys/conditions.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { formDialog, type PaneOutcome, type Submitted, type Work } from '../ui/forms/dialog.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { fileToRead } from '../ui/forms/named-file.ts';
import type { ImportState } from './import-state.ts';
import type { NamespacePane } from './key-work.ts';

/** The input of the actions: the file, and the counts of its preview. */
interface Here extends NamespacePane {
  readonly path: string;
  readonly found: Pick<ImportState, 'checked' | 'create' | 'change' | 'same'>;
}

/** The actions in the preview of an import. */
export const importActions: ReadonlyArray<PaneAction<Here, Work | undefined>> = [
  {
    does: 'import',
    press: ['enter', 'i'],
    label: 'import',
    about: 'Write the entries of the file',
    unless: importsAll,
    run: (here) => importing(here, false),
  },
  {
    does: 'import-valid',
    press: ['ctrl+o'],
    label: 'import valid',
    about: 'Write only the valid entries of the file',
    unless: importValidOnly,
    quietIn: ({ preview }) => (preview?.wrong ?? 0) === 0,
    run: (here) => importing(here, true),
  },
  { does: 'refresh', press: ['r'], label: 'reload', about: 'Read the file again' },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Go back; nothing is written',
  },
  ...moveShortcuts,
];

function imports(situation: Situation): string | false {
  const { preview } = situation;
  if (preview?.isReading === true) return cannotWrite(situation) || 'Wait until the file has been compared';
  return cannotWrite(situation) || (preview?.changes === 0 && 'The file would change nothing');
}

function importsAll(situation: Situation): string | false {
  const wrong = situation.preview?.wrong ?? 0;
  if (wrong === 0) return imports(situation);
  const words = wrong === 1 ? '1 entry is invalid' : `${wrong} entries are invalid`;
  return imports(situation) || `${words}: press Ctrl-O to import the valid entries`;
}

function importValidOnly(situation: Situation): string | false {
  return (
    imports(situation) || (situation.preview?.wrong === 0 && 'All entries are valid: press i to import them')
  );
}

/** Returns the work that starts the import task; undefined until the file has been checked. */
function importing({ namespace, parts, path, found }: Here, skipInvalid: boolean): Work | undefined {
  const { checked, create, change, same } = found;
  if (checked === undefined) return undefined;
  const { fingerprint } = checked;
  return {
    busy: starting,
    async run() {
      await parts.tasks.start({ does: 'import-keys', namespace, path, skipInvalid, fingerprint }, []);
      const notice = `Importing ${formatEntries(create + change + same)}. Press 5 to see the task.`;
      return { notice, closesPane: true };
    },
  };
}

/** Returns the form that asks for the file to import. Submitting the form opens the file's preview. */
export function importForm({ namespace, parts }: NamespacePane): PaneOutcome {
  const note = 'Relative to the working directory: a JSON array or NDJSON, such as an export; also .gz.';
  const form = openForm(
    `Import into ${namespace.title}`,
    [{ name: 'path', label: 'File', value: '', note, completes: 'path' }],
    ['The changes are shown before anything is written.'],
  );
  const opening = (typed: string): Work => ({
    busy: { kind: 'reading', words: 'opening' },
    async run() {
      const file = await fileToRead(parts.world, typed);
      return 'errors' in file ? file : { opens: { pane: 'import', namespace, path: file.path } };
    },
  });
  const dialog = formDialog(
    { ...form, submit: 'preview' },
    ({ path = '' }): Submitted =>
      path.trim() === '' ? { errors: { path: 'Enter the name of a file.' } } : { work: opening(path) },
  );
  return { dialog };
}

/** Formats a number of entries: `12 entries`. */
function formatEntries(count: number): string {
  return count === 1 ? '1 entry' : `${groupDigits(count)} entries`;
}
