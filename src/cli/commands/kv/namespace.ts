import type { BoundEntry } from '../../../config/bound.ts';
import { bindingFault, suggestBinding } from '../../../model/config.ts';
import { namespaceJurisdictions } from '../../../model/jurisdiction.ts';
import { kvLimits, type Namespace, namespaceName, namespaceTitle } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import { bindingSnippet } from '../../../services/kv/binding.ts';
import { listKeys } from '../../../services/kv/kv.ts';
import {
  type BoundNamespace,
  type MadeNamespace,
  makeBoundNamespace,
  makeNamespace,
  type NamespaceInput,
} from '../../../services/kv/namespace-create.ts';
import {
  deleteAndUnbind,
  describeBinding,
  findBindings,
  type Unbound,
} from '../../../services/kv/namespace-delete.ts';
import * as namespaces from '../../../services/kv/namespaces.ts';
import type { Session } from '../../../services/session/session.ts';
import type { Output } from '../../output/output.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { namespaceFlags, unsupportedLocalFlags } from '../../parsing/flags.ts';
import { parseOneOf } from '../../parsing/one-of.ts';
import { refuseLocal } from '../session/account-only.ts';
import type * as declared from './declarations.ts';
import { checkNamespaceFlags, resolveNamespaceId, resolvePreview } from './namespace-choice.ts';

export const createCommand = command<typeof declared.namespaceCreate>({
  async run(context, { args, flags }) {
    refuseLocal(flags, 'listNamespaces');
    const { output } = context;
    const jurisdiction = parseOneOf('--jurisdiction', flags.jurisdiction, namespaceJurisdictions);
    const session = await context.session({ preview: flags.preview });
    const title = await titleFor(session, args.NAMESPACE, flags.env, flags.preview);
    const input = {
      binding: args.NAMESPACE,
      title,
      preview: flags.preview,
      jurisdiction,
      ifNotExists: flags['if-not-exists'],
      creating: () => output.note(`Creating namespace with title "${title}".`),
    };
    if (!flags['update-config']) return answerMade(context, input, await makeNamespace(session, input));
    const bound = await makeBoundNamespace(session, input);
    if (bound.unwritten !== undefined) {
      await answerMade(context, input, bound);
      throw bound.unwritten;
    }
    await answerBound(output, input, bound);
  },
});

async function answerBound(output: Output, input: NamespaceInput, bound: BoundNamespace): Promise<void> {
  const { binding, preview } = input;
  const { namespace, created, path } = bound;
  if (output.json) return output.answerJson({ ...namespace, binding, preview, created, updated: path });
  await output.line(madeLine(bound));
  await output.line(`Wrote binding "${binding}" to ${path}.`);
}

/** Prints the namespace, and the entry to add to the configuration by hand. */
async function answerMade(context: Context, input: NamespaceInput, made: MadeNamespace): Promise<undefined> {
  const { output } = context;
  const { binding, preview } = input;
  const { namespace, created } = made;
  const snippet = await bindingSnippet(await context.session(), { binding, preview, id: namespace.id });
  if (output.json) {
    await output.answerJson({ ...namespace, binding, preview, created, snippet: snippet.text });
    return;
  }
  await output.line(madeLine(made));
  const what =
    snippet.replaces === undefined
      ? 'Add this to the kv_namespaces array of your configuration file:'
      : `Replace the entry of "${binding}" at ${snippet.replaces} with this:`;
  await output.line(what);
  await output.listing(`${snippet.text}\n`);
}

function madeLine({ namespace: { id, title }, created }: MadeNamespace): string {
  return `${created ? 'Created namespace' : 'Using existing namespace'} "${title}" with id ${id}.`;
}

async function titleFor(
  session: Session,
  name: string,
  environment: string | undefined,
  preview: boolean,
): Promise<string> {
  const fault = bindingFault(name);
  if (fault !== undefined) {
    throw new Problem('invalid-input', `"${name}" is not a valid binding name: ${fault}.`, {
      hint: `For example: edgectl kv namespace create ${suggestBinding(name)}`,
    });
  }
  const project = await session.project();
  return namespaceTitle(name, { project: project?.projectName, environment, preview });
}

export const listCommand = command<typeof declared.namespaceList>({
  async run(context, { flags }) {
    refuseLocal(flags, 'listNamespaces');
    const session = await context.session();
    const all: Namespace[] = [];
    for await (const page of namespaces.listNamespaces(session)) all.push(...page);
    await context.output.answerJson(all);
  },
});

export const renameCommand = command<typeof declared.namespaceRename>({
  async run(context, { args, flags }) {
    const { session, id } = await resolveChosen(context, flags);
    await namespaces.renameNamespace(session, id, args.TITLE);
    await context.output.result(`Renamed namespace ${id} to "${args.TITLE}".`, { id, title: args.TITLE });
  },
});

export const deleteCommand = command<typeof declared.namespaceDelete>({
  async run(context, { flags }) {
    const { session, id } = await resolveChosen(context, flags);
    const namespace = await namespaces.readNamespace(session, id);
    const { title } = namespace;
    const name = namespaceName(namespace);
    const keys = await countOfKeys(session, id);
    const place = `account ${await session.accountId()} on ${session.label}`;
    await context.ask.confirm(
      `Delete namespace ${name} and ${keys} in ${place}? This cannot be undone.`,
      `Namespace ${name} and ${keys} in ${place} would be deleted.`,
    );
    if (!context.output.json) await context.output.line(`Deleting namespace ${id}.`);
    const { removed, unwritten } = flags['update-config']
      ? await deleteAndUnbind(session, id)
      : await deleteAlone(session, id);
    const left = flags['update-config'] ? [] : await findBindings(session, id);
    const fields = {
      id,
      title,
      deleted: true as const,
      ...(removed.length > 0 && { removed: removed.map(bindingFields) }),
      ...(left.length > 0 && { left: left.map(bindingFields) }),
    };
    await context.output.result(`Deleted namespace ${id}.`, fields);
    for (const one of removed) context.output.note(`Removed the binding ${describeBinding(one)}.`);
    for (const one of left) {
      context.output.warn(
        `The binding ${describeBinding(one)} still points to the deleted namespace. Remove the binding from the file. With --update-config, the command also removes the binding.`,
      );
    }
    if (unwritten !== undefined) throw unwritten;
  },
});

async function deleteAlone(session: Session, id: string): Promise<Unbound> {
  await namespaces.deleteNamespace(session, id);
  return { removed: [] };
}

function bindingFields({ binding, environment, keys, location }: BoundEntry) {
  return { binding, ...(environment !== undefined && { environment }), keys, place: location };
}

/**
 * Describes the keys that would be lost. Their number is exact only if all keys fit on one page, because listing a million keys would take
 * too long.
 */
async function countOfKeys(session: Session, id: string): Promise<string> {
  for await (const page of listKeys(session, id)) {
    if (page.length === 0) continue;
    if (page.length >= kvLimits.listLimit)
      return `its keys (${kvLimits.listLimit.toLocaleString('en')} or more)`;
    return page.length === 1 ? 'its 1 key' : `its ${page.length} keys`;
  }
  return 'no keys';
}

async function resolveChosen(
  context: Context,
  flags: FlagValues<typeof namespaceFlags & typeof unsupportedLocalFlags>,
): Promise<{ session: Session; id: string }> {
  refuseLocal(flags, 'listNamespaces');
  checkNamespaceFlags(flags);
  const session = await context.session({ preview: resolvePreview(context, flags) });
  return { session, id: await resolveNamespaceId(session, flags) };
}
