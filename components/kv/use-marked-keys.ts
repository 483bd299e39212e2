import { resolve } from 'node:path';
import type { Namespace } from '../../src/model/kv/kv.ts';
import { isProblem, type Problem } from '../../src/model/problem.ts';
import type { TaskWork } from '../../src/model/tasks/task.ts';
import { placeIdOf } from '../../src/services/kv/bulk/bulk.ts';
import { findNamespace } from '../../src/services/kv/find-namespace.ts';
import { lookAtPath, writingFault } from '../../src/services/objects/file-look.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { keysOf, type MarkedCommand } from './key-marked.ts';

/** What became of a command about many keys. */
type Outcome =
  | { readonly type: 'started'; readonly words: string }
  /** The file is there already. */
  | { readonly type: 'exists'; readonly command: Extract<MarkedCommand, { does: 'export' }> }
  /** Something in the form is wrong, by the names of its fields. */
  | { readonly type: 'refused'; readonly errors: Readonly<Record<string, string>> }
  /** A file that can be looked at; its path is absolute. */
  | { readonly type: 'readable'; readonly path: string };

/** What a pane makes of what becomes of its commands about many keys. */
export interface MarkedListener {
  started(command: MarkedCommand): void;
  exists(command: Extract<MarkedCommand, { does: 'export' }>): void;
  refused(errors: Readonly<Record<string, string>>): void;
  failed(problem: Problem, command: MarkedCommand): void;
}

/** Starts tasks about many keys of a namespace, and opens the preview of a file to import. */
export function useMarkedKeys(
  namespace: Namespace,
  listener: MarkedListener,
): (command: MarkedCommand) => void {
  const parts = useConsole();
  const run = useRun();
  return (command) =>
    run({
      name: 'start',
      work: () => begin(command, namespace, parts),
      done: (outcome) => {
        if (outcome.type === 'exists') return listener.exists(outcome.command);
        if (outcome.type === 'refused') return listener.refused(outcome.errors);
        listener.started(command);
        if (outcome.type === 'started') parts.notify(outcome.words);
        else parts.open({ pane: 'import', namespace, path: outcome.path });
      },
      failed: (problem) => listener.failed(problem, command),
    });
}

async function begin(command: MarkedCommand, namespace: Namespace, parts: ConsoleParts): Promise<Outcome> {
  switch (command.does) {
    case 'remove-marked':
      return start({ does: 'delete-keys', namespace }, command.names, 'Deleting', parts);
    case 'expire-marked': {
      const { names, expiration } = command;
      return start({ does: 'expire-keys', namespace, expiration }, names, 'Setting the expiry of', parts);
    }
    case 'export':
      return beginExport(command, namespace, parts);
    case 'copy-keys':
      return beginCopy(command, namespace, parts);
    case 'import': {
      const path = resolve(parts.world.cwd, command.path);
      const state = await lookAtPath(path);
      if (state === 'file') return { type: 'readable', path };
      const isThere = state === 'folder' || state === 'other';
      return { type: 'refused', errors: { path: isThere ? 'This is no file.' : 'There is no such file.' } };
    }
  }
}

async function start(
  work: TaskWork,
  names: readonly string[],
  doing: string,
  { tasks }: ConsoleParts,
): Promise<Outcome> {
  await tasks.start(work, names);
  return { type: 'started', words: `${doing} ${keysOf(names)}: 5 shows the task.` };
}

async function beginExport(
  command: Extract<MarkedCommand, { does: 'export' }>,
  namespace: Namespace,
  parts: ConsoleParts,
): Promise<Outcome> {
  const path = resolve(parts.world.cwd, command.path);
  const state = await lookAtPath(path);
  const missing = state === 'no-folder' ? 'There is no such folder.' : undefined;
  const error = writingFault(command.path, state) ?? missing;
  if (error !== undefined) return { type: 'refused', errors: { path: error } };
  if (state === 'file' && !command.replace) return { type: 'exists', command };
  return start(
    { does: 'export-keys', namespace, path, replace: command.replace },
    command.names,
    'Exporting',
    parts,
  );
}

/** The namespace is looked up there before anything starts, so that a wrong name is an error of the form. */
async function beginCopy(
  { names, to, where, onConflict }: Extract<MarkedCommand, { does: 'copy-keys' }>,
  namespace: Namespace,
  parts: ConsoleParts,
): Promise<Outcome> {
  const { tasks, session } = parts;
  const here = { target: session.target };
  const found = await tasks
    .visit({ ...here, ...where }, async (there) => {
      const other = await findNamespace(there, to);
      return { other, place: await placeIdOf(there, other.id) };
    })
    .catch((error: unknown) => {
      if (isProblem(error) && error.code === 'not-found') return { error: error.message };
      throw error;
    });
  if ('error' in found) return { type: 'refused', errors: { to: found.error } };
  const place = await tasks.visit(here, (own) => placeIdOf(own, namespace.id));
  if (place === found.place) return { type: 'refused', errors: { to: 'The keys are there already.' } };
  const work = {
    does: 'copy-keys',
    namespace,
    to: { ...where, namespace: found.other, place: found.place },
    onConflict,
  } as const;
  return start(work, names, `Copying to ${escapeText(found.other.title)}:`, parts);
}
