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

/** Refuses unless exactly one of --binding and --namespace-id is given. */
export function checkNamespaceFlags(flags: Pick<NamespaceFlags, 'binding' | 'namespace-id'>): void {
  const { binding, 'namespace-id': id } = flags;
  if (binding !== undefined && id !== undefined) {
    throw new Problem(
      'usage',
      'Both --binding and --namespace-id are given; a command acts on one namespace.',
      {
        hint: 'Keep one of the two.',
      },
    );
  }
  if (binding === undefined && id === undefined) {
    throw new Problem('usage', 'No namespace is named: give --binding or --namespace-id.', {
      hint: 'edgectl kv namespace list shows the ids.',
    });
  }
}

/** Opens the session where the flags say and finds the namespace's id. */
export async function openNamespace(
  context: Context,
  flags: NamespaceFlags & LocalFlags,
): Promise<OpenNamespace> {
  checkNamespaceFlags(flags);
  const session = await context.session({ ...localChoice(flags), preview: previewOf(context, flags) });
  const id = await resolveNamespace(session, {
    binding: flags.binding,
    from: '--binding',
    namespaceId: flags['namespace-id'],
    preview: flags.preview,
  });
  return { session, id };
}

/**
 * Whether the preview namespace of a binding is meant. An id names one namespace, whatever target was meant: a command that
 * changes data is refused, and one that reads notes that --preview has no effect.
 */
export function previewOf(
  { output, effect }: Pick<Context, 'output' | 'effect'>,
  flags: Pick<NamespaceFlags, 'namespace-id' | 'preview'>,
  names: { readonly preview: string; readonly id: string } = { preview: '--preview', id: '--namespace-id' },
): boolean {
  if (!flags.preview || flags['namespace-id'] === undefined) return flags.preview;
  if (effect === 'write' || effect === 'destroy') {
    throw new Problem('usage', `${names.preview} does not apply to ${names.id}; nothing was sent.`, {
      hint: `Leave ${names.preview} out if that id is the namespace to change, or name a binding instead of the id.`,
    });
  }
  output.note(`${names.preview} has no effect: ${names.id} names the namespace.`);
  return false;
}

/** `--local` and `--persist-to` as part of a session's choice. Refuses the second without the first. */
export function localChoice(flags: LocalFlags): Partial<Choice> {
  if (flags['persist-to'] !== undefined && !flags.local) {
    throw new Problem('usage', '--persist-to names the folder of local data and needs --local.', {
      hint: 'Add --local, or leave --persist-to out.',
    });
  }
  return { local: flags.local, persistTo: flags['persist-to'] };
}
