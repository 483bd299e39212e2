import type { BindingEntry } from '../../config/entry.ts';
import type { LockedConfig } from '../../config/hold.ts';
import type { ConfigSource } from '../../config/read.ts';
import type { Namespace } from '../../model/kv/kv.ts';
import { asProblem, Problem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import { requireConfig, toBindingEntry } from './binding.ts';
import { createNamespace, ensureNamespace, findNamespaceByTitle } from './namespaces.ts';

/** A namespace to create, with its binding. */
export interface NamespaceInput {
  /** Name of the binding in the configuration. */
  readonly binding: string;
  readonly title: string;
  readonly preview: boolean;
  readonly jurisdiction?: string | undefined;
  /** Whether to use an existing namespace with the same title. */
  readonly ifNotExists: boolean;
  /** Called after all local checks, before the first request that changes data. */
  creating(): void;
}

/** A namespace that was created (`created`) or already existed. */
export interface MadeNamespace {
  readonly namespace: Namespace;
  readonly created: boolean;
}

/** A namespace with its binding in the file at `path`. `unwritten` is the error if the file could not be written. */
export interface BoundNamespace extends MadeNamespace {
  readonly path: string;
  readonly unwritten?: Problem;
}

/** Creates the namespace, or returns the existing namespace if `ifNotExists` is set. Throws the same errors as `createNamespace`. */
export async function makeNamespace(session: Session, input: NamespaceInput): Promise<MadeNamespace> {
  input.creating();
  return input.ifNotExists
    ? ensureNamespace(session, input.title, input.jurisdiction)
    : { namespace: await createNamespace(session, input.title, input.jurisdiction), created: true };
}

/**
 * Creates the namespace and adds the binding to the configuration file, which is locked against other edgectl processes. The file is
 * checked before anything is sent. If the file cannot be written afterwards, returns the error together with the created namespace.
 */
export async function makeBoundNamespace(session: Session, input: NamespaceInput): Promise<BoundNamespace> {
  const file = await requireConfig(session);
  const { withLockedConfig } = await import('../../config/hold.ts');
  return withLockedConfig(file, session, async (held) => {
    await checkEntry(session, input, await held.read());
    const made = await makeNamespace(session, input);
    try {
      await writeEntry(session, input, made.namespace.id, held);
      return { ...made, path: file.path };
    } catch (error) {
      return { ...made, path: file.path, unwritten: notWritten(asProblem(error), made, file.path) };
    }
  });
}

/** Throws if the file cannot be edited, if another kind of binding has the name, or if the binding already has a different id. */
async function checkEntry(session: Session, input: NamespaceInput, source: ConfigSource): Promise<void> {
  const { environment } = session.choice;
  const { checkConfig } = await import('../../config/check.ts');
  const { selectEnvironment } = await import('../../config/project.ts');
  const { addBindingToText } = await import('../../config/write.ts');
  const { refuseTakenName } = await import('../../config/taken.ts');
  const project = selectEnvironment(checkConfig(source), environment);
  const bound = project.kvNamespaces.find(({ binding }) => binding === input.binding);
  const id = input.preview ? bound?.previewId : bound?.id;
  if (id !== undefined) await refuseOtherId(session, input, id, source);
  const entry = entryFor(input, '0'.repeat(32));
  refuseTakenName(source, entry, environment);
  await addBindingToText(source, entry, environment);
}

async function refuseOtherId(
  session: Session,
  input: NamespaceInput,
  id: string,
  { path }: ConfigSource,
): Promise<void> {
  if (input.ifNotExists && (await findNamespaceByTitle(session, input.title))?.id === id) return;
  const key = input.preview ? 'preview_id' : 'id';
  throw new Problem('config-invalid', `"${input.binding}" already has the ${key} ${id} in ${path}.`, {
    remedy: { kind: 'edit-binding', key },
  });
}

/** Adds the binding to the file. Reads the file again first, because an editor may have changed it during the requests. */
async function writeEntry(
  session: Session,
  input: NamespaceInput,
  id: string,
  held: LockedConfig,
): Promise<void> {
  const { addBindingToText } = await import('../../config/write.ts');
  const { refuseTakenName } = await import('../../config/taken.ts');
  const source = await held.read();
  const entry = entryFor(input, id);
  refuseTakenName(source, entry, session.choice.environment);
  const text = await addBindingToText(source, entry, session.choice.environment);
  if (text !== source.text) await held.replace(source, text);
}

function entryFor({ binding, preview }: NamespaceInput, id: string): BindingEntry {
  return toBindingEntry({ binding, preview, id });
}

function notWritten(cause: Problem, { namespace, created }: MadeNamespace, path: string): Problem {
  const { id, title } = namespace;
  const done = created ? 'was created' : 'exists';
  const message = `The namespace "${title}" (${id}) ${done}, but its binding was not written to ${path}: ${cause.message}`;
  return new Problem('config-not-written', message, {
    cause,
    hint: 'Add the entry that was printed on stdout to the file by hand.',
  });
}
