import type { Namespace } from '../../src/model/kv/kv.ts';
import { isProblem } from '../../src/model/problem.ts';
import type { TaskWork } from '../../src/model/tasks/task.ts';
import { namespaceAddress } from '../../src/services/kv/bulk/bulk.ts';
import { findNamespace } from '../../src/services/kv/find-namespace.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { fileToRead, fileToWrite } from '../ui/forms/named-file.ts';
import { keysOf, type MarkedCommand, type MarkedDialog } from './key-marked.ts';

/** The result of a command about many keys; when empty, a task was started. */
interface MarkedOutcome {
  readonly dialog?: MarkedDialog;
  /** Faults in its form, by the names of the fields. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly notice?: string;
  readonly opens?: OpenPane;
  readonly unmark?: boolean;
}

/** Starts a task about many keys of a namespace, or opens the preview of a file to import. */
export async function beginMarked(
  command: MarkedCommand,
  namespace: Namespace,
  parts: PaneParts,
): Promise<MarkedOutcome> {
  switch (command.does) {
    case 'remove-marked': {
      const started = await start({ does: 'delete-keys', namespace }, command.names, 'Deleting', parts);
      return { ...started, unmark: true };
    }
    case 'expire-marked': {
      const { names, expiration } = command;
      return start({ does: 'expire-keys', namespace, expiration }, names, 'Setting the expiry of', parts);
    }
    case 'export':
      return beginExport(command, namespace, parts);
    case 'copy-keys':
      return beginCopy(command, namespace, parts);
    case 'import': {
      const file = await fileToRead(parts.world, command.path);
      return 'errors' in file ? file : { opens: { pane: 'import', namespace, path: file.path } };
    }
  }
}

async function start(
  work: TaskWork,
  names: readonly string[],
  doing: string,
  { tasks }: PaneParts,
): Promise<MarkedOutcome> {
  await tasks.start(work, names);
  return { notice: `${doing} ${keysOf(names)}: 5 shows the task.` };
}

async function beginExport(
  command: Extract<MarkedCommand, { does: 'export' }>,
  namespace: Namespace,
  parts: PaneParts,
): Promise<MarkedOutcome> {
  const again = command.replace ? undefined : { ...command, replace: true };
  const file = await fileToWrite(parts.world, command.path, again);
  if ('errors' in file || 'dialog' in file) return file;
  const work = { does: 'export-keys', namespace, path: file.path, replace: command.replace } as const;
  return start(work, command.names, 'Exporting', parts);
}

/** The namespace is looked up there before anything starts, so that a wrong name is an error of the form. */
async function beginCopy(
  { names, to, where, onConflict }: Extract<MarkedCommand, { does: 'copy-keys' }>,
  namespace: Namespace,
  parts: PaneParts,
): Promise<MarkedOutcome> {
  const { tasks, session } = parts;
  const here = { target: session.target };
  const found = await tasks
    .visit({ ...here, ...where }, async (there) => {
      const other = await findNamespace(there, to);
      return { other, address: await namespaceAddress(there, other.id) };
    })
    .catch((error: unknown) => {
      if (isProblem(error) && error.code === 'not-found') return { error: error.message };
      throw error;
    });
  if ('error' in found) return { errors: { to: found.error } };
  const address = await tasks.visit(here, (own) => namespaceAddress(own, namespace.id));
  if (address === found.address) return { errors: { to: 'The keys are there already.' } };
  const work = {
    does: 'copy-keys',
    namespace,
    to: { ...where, namespace: found.other, place: found.address },
    onConflict,
  } as const;
  return start(work, names, `Copying to ${escapeText(found.other.title)}:`, parts);
}
