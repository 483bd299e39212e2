import { Problem } from '../../../model/problem.ts';
import { resolveNamespace } from '../../../services/kv/binding.ts';
import type { Choice, Session } from '../../../services/session/session.ts';
import type { Context } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { localFlags, namespaceFlags } from '../../parsing/flags.ts';

type NamespaceFlags = FlagValues<typeof namespaceFlags>;
type LocalFlags = FlagValues<typeof localFlags>;

/** A session and the id of the one namespace that a command acts on. */
export interface OpenNamespace {
  readonly session: Session;
  readonly id: string;
}

/** Flags that choose a namespace. */
type NamingFlags = Pick<NamespaceFlags, 'binding' | 'namespace' | 'namespace-id'>;

/** Throws unless exactly one of --binding, --namespace and --namespace-id is given. */
export function checkNamespaceFlags(flags: NamingFlags): void {
  const names = ['binding', 'namespace', 'namespace-id'] as const;
  const given = names.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
  if (given.length > 1) {
    throw new Problem('usage', `${given.join(' and ')} cannot be used together.`, {
      hint: 'Use only one of them.',
    });
  }
  if (given.length === 0) {
    throw new Problem('usage', 'No namespace: specify --binding, --namespace or --namespace-id.', {
      hint: 'To see titles and ids: edgectl kv namespace list',
    });
  }
}

/** Opens the session that the flags choose, and resolves the namespace's id. */
export async function openNamespace(
  context: Context,
  flags: NamespaceFlags & LocalFlags,
): Promise<OpenNamespace> {
  checkNamespaceFlags(flags);
  const session = await context.session({ ...localChoice(flags), preview: resolvePreview(context, flags) });
  return { session, id: await resolveNamespaceId(session, flags) };
}

/** Returns the id of the namespace that the flags choose. */
export async function resolveNamespaceId(
  session: Session,
  flags: NamespaceFlags,
  prefix: '--' | '--to-' = '--',
): Promise<string> {
  if (flags.namespace !== undefined) {
    const { namedNamespace } = await import('../../../services/kv/find-namespace.ts');
    return namedNamespace(session, flags.namespace);
  }
  return resolveNamespace(session, {
    binding: flags.binding,
    from: `${prefix}binding`,
    namespaceId: flags['namespace-id'],
    preview: flags.preview,
  });
}

/**
 * Returns whether to use the preview namespace of a binding. With an id or a title, --preview has no effect: commands that change data
 * refuse it, and commands that read print a note.
 */
export function resolvePreview(
  { output, effect }: Pick<Context, 'output' | 'effect'>,
  flags: Pick<NamespaceFlags, 'namespace' | 'namespace-id' | 'preview'>,
  prefix: '--' | '--to-' = '--',
): boolean {
  const names = ['namespace', 'namespace-id'] as const;
  const named = names.find((name) => flags[name] !== undefined);
  if (!flags.preview || named === undefined) return flags.preview;
  if (effect === 'write' || effect === 'destroy') {
    throw new Problem('usage', `${prefix}preview does not apply to ${prefix}${named}; nothing was sent.`, {
      hint: `Omit ${prefix}preview if this is the namespace to change, or use ${prefix}binding.`,
    });
  }
  output.note(`${prefix}preview has no effect with ${prefix}${named}.`);
  return false;
}

/** Returns the session settings that `--local` and `--persist-to` specify. Refuses `--persist-to` without `--local`. */
export function localChoice(flags: LocalFlags): Partial<Choice> {
  if (flags['persist-to'] !== undefined && !flags.local) {
    throw new Problem('usage', '--persist-to requires --local.', {
      hint: 'Add --local, or omit --persist-to.',
    });
  }
  return { local: flags.local, persistTo: flags['persist-to'] };
}
