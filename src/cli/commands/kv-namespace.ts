import { namespaceTitle } from '../../model/kv.ts';
import { Problem } from '../../model/problem.ts';
import * as kv from '../../services/kv.ts';
import { bindingSnippet, resolveNamespace, updateConfigFile } from '../../services/namespace-binding.ts';
import type { Session } from '../../services/session.ts';
import { type Context, command, type FlagValues } from '../command.ts';
import { namespaceFlags, refusedPlaceFlags } from '../flags.ts';
import { jsonText } from '../output.ts';
import { checkNamespaceFlags, refuseLocal } from './namespace-choice.ts';

export const createCommand = command({
  arguments: {
    NAMESPACE: { about: 'Name of the new namespace; also its binding, so a JavaScript identifier' },
  },
  flags: {
    preview: { kind: 'boolean', about: 'Create the preview namespace of the binding' },
    'if-not-exists': { kind: 'boolean', about: 'Take a namespace that already has the title' },
    'update-config': { kind: 'boolean', about: 'Write the entry into the configuration file' },
    ...refusedPlaceFlags,
  },
  examples: [
    ['kv namespace create SESSIONS', 'create <project>-SESSIONS and print the snippet'],
    ['kv namespace create SESSIONS --preview --update-config', 'add its preview_id to the file'],
  ],
  async run(context, { args, flags }) {
    refuseLocal(flags);
    const session = await context.session();
    const title = await titleFor(session, args.NAMESPACE, flags.env, flags.preview);
    context.output.note(`Creating namespace with title "${title}" on ${session.label}.`);
    const { namespace, created } = await createOrTake(session, title, flags['if-not-exists']);
    const entry = {
      binding: args.NAMESPACE,
      ...(flags.preview ? { previewId: namespace.id } : { id: namespace.id }),
    };
    const updated = flags['update-config'] ? await updateConfigFile(session, entry) : undefined;
    const line = created
      ? `Created namespace "${title}" with id ${namespace.id}.`
      : `Namespace "${title}" already exists with id ${namespace.id}.`;
    if (context.output.json) {
      await context.output.answerJson({ ...namespace, ...entry, created, ...(updated ? { updated } : {}) });
      return;
    }
    await context.output.result(line, undefined);
    if (updated !== undefined) {
      await context.output.result(`Wrote binding "${args.NAMESPACE}" into ${updated}.`, undefined);
      return;
    }
    await context.output.result(
      'Add this to your configuration file in your kv_namespaces array:',
      undefined,
    );
    await context.output.answer(
      `${await bindingSnippet(session, entry, flags['experimental-json-config'])}\n`,
    );
  },
});

async function titleFor(
  session: Session,
  name: string,
  environment: string | undefined,
  preview: boolean,
): Promise<string> {
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name)) {
    throw new Problem(
      'invalid-input',
      `"${name}" cannot be a binding: it is not a valid JavaScript identifier.`,
      {
        hint: 'Letters, digits and underscores, not a digit first: SESSIONS, feature_flags.',
      },
    );
  }
  const config = await session.config();
  return namespaceTitle(name, { project: config?.projectName, environment, preview });
}

async function createOrTake(
  session: Session,
  title: string,
  take: boolean,
): Promise<{ namespace: { id: string; title: string }; created: boolean }> {
  try {
    const namespace = await kv.createNamespace(session, title);
    return { namespace: { id: namespace.id, title: namespace.title }, created: true };
  } catch (error) {
    const taken = error instanceof Problem && error.platformCode === 10014;
    const existing = taken && take ? await kv.findNamespaceByTitle(session, title) : undefined;
    if (existing === undefined) throw error;
    return { namespace: { id: existing.id, title: existing.title }, created: false };
  }
}

export const listCommand = command({
  arguments: {},
  flags: refusedPlaceFlags,
  examples: [['kv namespace list', 'a JSON array of id and title']],
  async run(context, { flags }) {
    refuseLocal(flags);
    const session = await context.session();
    const all: { id: string; title: string }[] = [];
    for await (const page of kv.listNamespaces(session, context.world.interrupted)) {
      all.push(...page.map(({ id, title }) => ({ id, title })));
    }
    await context.output.answer(`${jsonText(all, 2)}\n`);
  },
});

export const renameCommand = command({
  arguments: { TITLE: { about: 'The new title' } },
  flags: { ...namespaceFlags, ...refusedPlaceFlags },
  examples: [
    ['kv namespace rename sessions-old --namespace-id 0f2a…', 'the id and the keys stay as they are'],
  ],
  async run(context, { args, flags }) {
    const { session, id } = await namespaceOf(context, flags);
    await kv.renameNamespace(session, id, args.TITLE);
    await context.output.result(`Renamed namespace ${id} to "${args.TITLE}".`, { id, title: args.TITLE });
  },
});

export const deleteCommand = command({
  arguments: {},
  flags: { ...namespaceFlags, ...refusedPlaceFlags },
  examples: [
    ['kv namespace delete --binding SESSIONS', 'asks, then deletes it with all its keys'],
    ['kv namespace delete --namespace-id 0f2a… --yes', 'for scripts'],
  ],
  async run(context, { flags }) {
    const { session, id } = await namespaceOf(context, flags);
    const { title } = await kv.readNamespace(session, id);
    await context.ask.confirm(
      `Delete namespace "${title}" (${id}) and all its keys on ${session.label}? This cannot be undone.`,
      `Namespace "${title}" (${id}) and all its keys would be deleted.`,
    );
    if (!context.output.json) await context.output.result(`Deleting namespace ${id}.`, undefined);
    await kv.deleteNamespace(session, id);
    await context.output.result(`Deleted namespace ${id}.`, { id, title, deleted: true });
  },
});

async function namespaceOf(
  context: Context,
  flags: FlagValues<typeof namespaceFlags & typeof refusedPlaceFlags>,
): Promise<{ session: Session; id: string }> {
  refuseLocal(flags);
  checkNamespaceFlags(flags);
  const session = await context.session();
  const id = await resolveNamespace(session, {
    binding: flags.binding,
    namespaceId: flags['namespace-id'],
    preview: flags.preview,
  });
  return { session, id };
}
