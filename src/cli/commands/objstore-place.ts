import { Problem } from '../../model/problem.ts';
import type { FlagValues } from '../command.ts';
import type { placeFlags } from '../flags.ts';

/** Refuses `--local` on a command about buckets: local data have none to create or list. */
export function refuseLocalBuckets(flags: FlagValues<typeof placeFlags>): void {
  if (!flags.local && flags['persist-to'] === undefined) return;
  throw new Problem(
    'usage',
    'Local data have no account: --local and --persist-to go with objstore object.',
    { hint: 'For buckets without an account, use the embedded platform: --sandbox.' },
  );
}
