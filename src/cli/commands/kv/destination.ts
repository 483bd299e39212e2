import { Problem } from '../../../model/problem.ts';
import { openSession } from '../../../services/session/open-session.ts';
import type { Choice, Session } from '../../../services/session/session.ts';
import type { Context } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { destinationFlags } from './flags.ts';
import { localChoice, type OpenNamespace, resolveNamespaceId, resolvePreview } from './namespace-choice.ts';

type DestinationFlags = FlagValues<typeof destinationFlags>;
type OpeningFlags = DestinationFlags & { readonly debug: boolean };

/** Throws unless exactly one of --to-binding, --to-namespace and --to-namespace-id is given. */
export function checkDestinationFlags(flags: DestinationFlags): void {
  const names = ['to-binding', 'to-namespace', 'to-namespace-id'] as const;
  const given = names.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
  if (given.length === 1) return;
  throw new Problem(
    'usage',
    given.length === 0
      ? 'No second namespace: specify --to-binding, --to-namespace or --to-namespace-id.'
      : `${given.join(' and ')} cannot be used together.`,
    {
      hint: 'For a namespace in local data, another profile or another account, add --to-local, --to-profile or --to-account-id.',
    },
  );
}

/**
 * Opens the second namespace of a command. A setting whose `--to-` flag is omitted defaults to the setting of the first namespace, except
 * `--local` and `--persist-to`, which apply only to the first namespace. The caller closes the session.
 */
export async function openDestination(
  context: Context,
  first: Session,
  flags: OpeningFlags,
): Promise<OpenNamespace> {
  const named = {
    binding: flags['to-binding'],
    namespace: flags['to-namespace'],
    'namespace-id': flags['to-namespace-id'],
    preview: flags['to-preview'],
  };
  const preview = resolvePreview(context, named, '--to-');
  const choice = { ...destinationChoice(first.choice, flags), preview };
  const session = await openSession(context.world, choice, {
    note: (message) => context.output.note(message),
    debug: flags.debug ? (message) => context.output.warn(message) : undefined,
  });
  try {
    return { session, id: await resolveNamespaceId(session, named, '--to-') };
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
    // Another profile has its own platform and account.
    accountId: flags['to-account-id'] ?? (profile === undefined ? first.accountId : undefined),
    apiBaseUrl: profile === undefined ? first.apiBaseUrl : undefined,
  };
}
