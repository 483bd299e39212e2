import { starting } from '../kit/keys/busy.ts';
import { formDialog, type PaneOutcome, type Submitted, type Work } from '../ui/forms/dialog.ts';
import type { DialogLine } from '../ui/forms/dialog-lines.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { fileToWrite } from '../ui/forms/named-file.ts';
import type { NamespacePane } from './key-work.ts';

/** The file of an export: an absolute path, and whether the user allowed edgectl to replace an existing file. */
export interface ExportFile {
  readonly path: string;
  readonly replace: boolean;
}

interface Export {
  readonly title: string;
  readonly lines: readonly DialogLine[];
  /** Starts the export as a task. */
  start(file: ExportFile): Promise<PaneOutcome>;
}

/** Returns the form that asks for the file to which keys of a namespace are exported. */
export function exportForm(
  { title, lines, start }: Export,
  { namespace, parts }: NamespacePane,
): PaneOutcome {
  const note = 'Relative to the working directory. NDJSON, or JSON with .json; .gz compresses.';
  const value = `${toFileName(namespace.title)}.ndjson`;
  const form = openForm(title, [{ name: 'path', label: 'File', value, note, completes: 'path' }], lines);
  const exporting = (typed: string, replace: boolean): Work => ({
    busy: starting,
    async run() {
      const again = replace ? undefined : exporting(typed, true);
      const file = await fileToWrite(parts.world, typed, again);
      if ('errors' in file || 'dialog' in file) return file;
      return start({ path: file.path, replace });
    },
  });
  const dialog = formDialog(
    { ...form, submit: 'export' },
    ({ path = '' }): Submitted =>
      path.trim() === ''
        ? { errors: { path: 'Enter the name of a file.' } }
        : { work: exporting(path, false) },
  );
  return { dialog };
}

/** Returns the form that asks for the file to which all keys of a namespace are exported. */
export function exportNamespace(pane: NamespacePane): PaneOutcome {
  const { namespace, parts } = pane;
  const title = namespace.title;
  const start = async (file: ExportFile): Promise<PaneOutcome> => {
    await parts.tasks.start({ does: 'export-namespace', namespace, ...file }, []);
    return { notice: `Exporting ${title}. Press 5 to see the task.` };
  };
  return exportForm(
    { title: `Export all keys from ${title}`, lines: ['With values, metadata and expiry.'], start },
    pane,
  );
}

/** Converts a title to a file name without slashes, without a leading dot, and without characters that a shell interprets. */
function toFileName(title: string): string {
  const plain = title.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return plain === '' ? 'keys' : plain.slice(0, 100);
}
