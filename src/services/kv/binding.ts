import { basename } from 'node:path';
import type { BindingEntry } from '../../config/entry.ts';
import type { Project } from '../../model/config.ts';
import { idFault, localIdFault, malformedId } from '../../model/id.ts';
import { advised, type Problem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';

/** The namespace to act on, by its binding or its id. */
export interface BindingChoice {
  readonly binding: string | undefined;
  /** Source of the binding, such as a flag, for messages. */
  readonly from: string;
  readonly namespaceId: string | undefined;
  readonly preview: boolean;
}

/**
 * The id of the namespace that a binding or an id names. Refuses a binding that the configuration does not have, and one
 * whose id can be none: local data take the name of any folder. An id that was typed was checked when it was read.
 */
export async function resolveNamespace(session: Session, names: BindingChoice): Promise<string> {
  if (names.binding !== undefined) return boundNamespace(session, { ...names, binding: names.binding });
  return names.namespaceId ?? '';
}

async function boundNamespace(
  session: Session,
  { binding, from, preview }: BindingChoice & { readonly binding: string },
): Promise<string> {
  const project = await session.project();
  if (project === undefined)
    throw await noConfig(session, `${from} ${binding} is looked up in the configuration`);
  const { findKvBinding } = await import('../../config/bindings.ts');
  const id = findKvBinding(project, binding, { preview });
  const fault = session.can.listNamespaces ? idFault('namespace', id) : localIdFault(id);
  if (fault !== undefined) throw await malformedBinding(project, { binding, id, preview }, fault);
  return id;
}

/** Returns the Problem of a binding with a malformed id. It names the line of the configuration. */
export async function malformedBinding(
  project: Project,
  { binding, id, preview }: NamespaceBinding,
  fault: string,
): Promise<Problem> {
  const { positionOfValue } = await import('../../config/locate.ts');
  const key = preview ? 'preview_id' : 'id';
  const index = project.kvNamespaces.findIndex((entry) => entry.binding === binding);
  const position = await positionOfValue(project, ['kv_namespaces', index, key]);
  return malformedId('namespace', id, `${key} of the binding "${binding}" at ${position}`, fault);
}

/** A namespace as the configuration names it: its id, or its id as the preview namespace. */
export interface NamespaceBinding {
  readonly binding: string;
  readonly id: string;
  readonly preview: boolean;
}

/** Text to paste into the configuration file, and the entry that it replaces there. */
export interface BindingSnippet {
  readonly text: string;
  /** File and line of the entry that has the binding already. */
  readonly replaces?: string;
}

/**
 * The snippet of a binding in the format of the configuration file; TOML where there is no file and JSON is not asked
 * for. Where the file has the binding already, it carries what is there as well: two entries of one name are refused.
 */
export async function bindingSnippet(session: Session, binding: NamespaceBinding): Promise<BindingSnippet> {
  const { configSnippet } = await import('../../config/entry.ts');
  const project = await session.project();
  const format = project?.format ?? (session.choice.jsonConfig ? 'jsonc' : 'toml');
  const entry = entryOf(binding);
  const snippet = (fields: BindingEntry['fields']): string =>
    configSnippet({ ...entry, fields }, format, session.choice.environment);
  const index = project?.kvNamespaces.findIndex((one) => one.binding === binding.binding) ?? -1;
  const there = project?.kvNamespaces[index];
  if (project === undefined || there === undefined) return { text: snippet(entry.fields) };
  const { positionOfValue } = await import('../../config/locate.ts');
  const fields = {
    ...(there.id !== undefined && { id: there.id }),
    ...(there.previewId !== undefined && { preview_id: there.previewId }),
    ...entry.fields,
  };
  return { text: snippet(fields), replaces: await positionOfValue(project, ['kv_namespaces', index]) };
}

/** Refuses where there is no configuration file to change, before anything is sent. */
export async function requireConfig(session: Session): Promise<Project> {
  const project = await session.project();
  if (project !== undefined) return project;
  const { missingConfig } = await import('../../config/find.ts');
  const { cwd } = session.world;
  const at = { cwd, json: session.choice.jsonConfig };
  const problem = await missingConfig('Nothing was sent: the configuration file would be changed', at);
  const { remedy } = problem;
  if (remedy?.kind !== 'name-config') throw problem;
  const { workerNameFrom } = await import('../../model/workers/worker.ts');
  const name = workerNameFrom(basename(cwd)) ?? 'worker';
  throw advised(problem, { remedy: { kind: 'make-config', file: remedy.file, name } });
}

/** The binding as it stands in a configuration file. */
export function entryOf({ binding, id, preview }: NamespaceBinding): BindingEntry {
  return { list: 'kv_namespaces', binding, fields: preview ? { preview_id: id } : { id } };
}

async function noConfig(session: Session, need: string): Promise<Problem> {
  const { missingConfig } = await import('../../config/find.ts');
  const problem = await missingConfig(need, { cwd: session.world.cwd, json: session.choice.jsonConfig });
  const { remedy } = problem;
  if (remedy?.kind !== 'name-config') return problem;
  return advised(problem, { remedy: { ...remedy, kind: 'bind-or-name' } });
}
