import { Problem } from '../../../model/problem.ts';
import { resolveNamespace } from '../../../services/kv/binding.ts';
import { openSession } from '../../../services/session/open-session.ts';
import type { Choice, Session } from '../../../services/session/session.ts';
import type { Context } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { destinationFlags } from './flags.ts';
import { localChoice, type OpenNamespace, previewOf } from './namespace-choice.ts';

type DestinationFlags = FlagValues<typeof destinationFlags>;
type OpeningFlags = DestinationFlags & { readonly debug: boolean };

/** Refuses unless exactly one of --to-binding and --to-namespace-id is given. */
export function checkDestinationFlags(flags: DestinationFlags): void {
  const { 'to-binding': binding, 'to-namespace-id': id } = flags;
  if ((binding === undefined) !== (id === undefined)) return;
  throw new Problem(
    'usage',
    binding === undefined
      ? 'No second namespace is named: give --to-binding or --to-namespace-id.'
      : 'Both --to-binding and --to-namespace-id are given; there is one second namespace.',
    { hint: '--to-local, --to-profile and --to-account-id say where it is.' },
  );
}

/**
 * Opens the second namespace of a command, beside the first one's session. Everything that no `--to-` flag says is as
 * on the first side, but local data: `--local` is about the first side only. Whoever calls it closes the session.
 */
export async function openDestination(
  context: Context,
  first: Session,
  flags: OpeningFlags,
): Promise<OpenNamespace> {
  const named = { 'namespace-id': flags['to-namespace-id'], preview: flags['to-preview'] };
  const preview = previewOf(context, named, { preview: '--to-preview', id: '--to-namespace-id' });
  const choice = { ...destinationChoice(first.choice, flags), preview };
  const session = await openSession(context.world, choice, {
    note: (message) => context.output.note(message),
    debug: flags.debug ? (message) => context.output.warn(message) : undefined,
  });
  try {
    const id = await resolveNamespace(session, {
      binding: flags['to-binding'],
      from: '--to-binding',
      namespaceId: flags['to-namespace-id'],
      preview: flags['to-preview'],
    });
    return { session, id };
  } catch (error) {
    await session.close();
    throw error;
  }
}

function destinationChoice(first: Choice, flags: DestinationFlags): Choice {
  const profile = flags['to-profile'];
  const local = localChoice({ local: flags['to-local'], 'persist-to': flags['to-persist-to'] });
  return {
    ...first,
    ...local,
    environment: flags['to-env'] ?? first.environment,
    profile: profile ?? first.profile,
    // Another profile has a platform and an account of its own.
    accountId: flags['to-account-id'] ?? (profile === undefined ? first.accountId : undefined),
    apiBaseUrl: profile === undefined ? first.apiBaseUrl : undefined,
  };
}
