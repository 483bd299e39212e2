import { type Capabilities, type Capability, listCapabilities } from '../../../model/capability.ts';
import { Problem } from '../../../model/problem.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type { localFlags } from '../../parsing/flags.ts';

type LocalFlags = FlagValues<typeof localFlags>;

/**
 * For each capability that requires an account: the commands that support local data, and the resources on which all other commands act.
 */
const commandNames = {
  listNamespaces: ['kv key and kv bulk', 'namespaces'],
  createBuckets: ['objstore object', 'buckets'],
} as const satisfies Partial<Record<Capability, readonly [commands: string, things: string]>>;

/** Returns the capabilities of the backend that the flags select, before a session is opened. */
export function capabilitiesAt({ local }: Pick<LocalFlags, 'local'>): Capabilities {
  return listCapabilities({ kind: local ? 'local' : 'remote' });
}

/** Rejects `--local` on a command that local data does not support. */
export function refuseLocal(flags: LocalFlags, capability: keyof typeof commandNames): void {
  if (capabilitiesAt(flags)[capability] && flags['persist-to'] === undefined) return;
  const [commands, things] = commandNames[capability];
  throw new Problem(
    'usage',
    `Local data has no account: --local and --persist-to work only with ${commands}.`,
    {
      hint: `For ${things} without an account, use the embedded platform: --sandbox.`,
    },
  );
}
