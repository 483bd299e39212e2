import { basename } from 'node:path';
import type { BindingEntry } from '../../config/entry.ts';
import type { Project } from '../../model/config.ts';
import { idFault, localIdFault, malformedId } from '../../model/id.ts';
import { type Problem, replaceAdvice } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';

/** The namespace to act on, as a binding or an id. */
export interface BindingChoice {
  readonly binding: string | undefined;
  /** The source of the binding for messages, for example a flag. */
  readonly from: string;
  readonly namespaceId: string | undefined;
  readonly preview: boolean;
}

/**
 * Resolves a binding or an id to the id of a namespace. Throws if the binding is not in the configuration or has a malformed id; in local
 * data, any folder name is a valid id. Does not check `namespaceId`, because the flag parser has already checked it.
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
  if (project === undefined) throw await noConfig(session, `${from} ${binding} needs a configuration file`);
  const { findKvBinding } = await import('../../config/bindings.ts');
  const id = findKvBinding(project, binding, { preview });
  const fault = session.can.listNamespaces ? idFault('namespace', id) : localIdFault(id);
  if (fault !== undefined) throw await malformedBinding(project, { binding, id, preview }, fault);
  return id;
}

/** Returns the Problem for a binding with a malformed id. The message contains the line in the configuration. */
export async function malformedBinding(
  project: Project,
  { binding, id, preview }: NamespaceBinding,
  fault: string,
): Promise<Problem> {
  const { locateValue } = await import('../../config/locate.ts');
  const key = preview ? 'preview_id' : 'id';
  const index = project.kvNamespaces.findIndex((entry) => entry.binding === binding);
  const position = await locateValue(project, ['kv_namespaces', index, key]);
  return malformedId('namespace', id, `${key} of the binding "${binding}" at ${position}`, fault);
}

/** A namespace in the configuration. `preview` means that `id` is the id of the preview namespace. */
export interface NamespaceBinding {
  readonly binding: string;
  readonly id: string;
  readonly preview: boolean;
}

/** Text to paste into the configuration file, and the position of the entry to replace. */
export interface BindingSnippet {
  readonly text: string;
  /** File and line of the existing entry with this binding. */
  readonly replaces?: string;
}

/**
 * Returns the snippet for a binding in the format of the configuration file (without a file: TOML, or JSON if requested). If the file
 * already has the binding, the snippet replaces its entry and includes its ids, because two entries with the same binding are invalid.
 */
export async function bindingSnippet(session: Session, binding: NamespaceBinding): Promise<BindingSnippet> {
  const { configSnippet } = await import('../../config/entry.ts');
  const project = await session.project();
  const format = project?.format ?? (session.choice.jsonConfig ? 'jsonc' : 'toml');
  const entry = toBindingEntry(binding);
  const snippet = (fields: BindingEntry['fields']): string =>
    configSnippet({ ...entry, fields }, format, session.choice.environment);
  const index = project?.kvNamespaces.findIndex((one) => one.binding === binding.binding) ?? -1;
  const there = project?.kvNamespaces[index];
  if (project === undefined || there === undefined) return { text: snippet(entry.fields) };
  const { locateValue } = await import('../../config/locate.ts');
  const fields = {
    ...(there.id !== undefined && { id: there.id }),
    ...(there.previewId !== undefined && { preview_id: there.previewId }),
    ...entry.fields,
  };
  return { text: snippet(fields), replaces: await locateValue(project, ['kv_namespaces', index]) };
}

/** Returns the configuration. Throws if there is no configuration file; callers call this before they send anything. */
export async function requireConfig(session: Session): Promise<Project> {
  const project = await session.project();
  if (project !== undefined) return project;
  const { missingConfig } = await import('../../config/find.ts');
  const { cwd } = session.world;
  const at = { cwd, json: session.choice.jsonConfig };
  const problem = await missingConfig('Nothing was sent: the command changes the configuration file', at);
  const { remedy } = problem;
  if (remedy?.kind !== 'name-config') throw problem;
  const { suggestWorkerName } = await import('../../model/workers/worker.ts');
  const name = suggestWorkerName(basename(cwd)) ?? 'worker';
  throw replaceAdvice(problem, { remedy: { kind: 'make-config', file: remedy.file, name } });
}

/** Returns the entry for a binding in a configuration file. */
export function toBindingEntry({ binding, id, preview }: NamespaceBinding): BindingEntry {
  return { list: 'kv_namespaces', binding, fields: preview ? { preview_id: id } : { id } };
}

async function noConfig(session: Session, need: string): Promise<Problem> {
  const { missingConfig } = await import('../../config/find.ts');
  const problem = await missingConfig(need, { cwd: session.world.cwd, json: session.choice.jsonConfig });
  const { remedy } = problem;
  if (remedy?.kind !== 'name-config') return problem;
  return replaceAdvice(problem, { remedy: { ...remedy, kind: 'bind-or-name' } });
}
