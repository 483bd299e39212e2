import type { Target } from '../../../model/target.ts';
import { command } from '../../parsing/command.ts';
import { placeFlags } from '../../parsing/flags.ts';
import { placeOf } from '../kv/namespace-choice.ts';

/** Another profile brings its own account and platform. */
function othersOf(profile: string) {
  return { profile, accountId: undefined, zoneId: undefined, apiBaseUrl: undefined };
}

export const consoleCommand = command({
  arguments: {},
  flags: { ...placeFlags, preview: { kind: 'boolean', about: 'Begin with preview data' } },
  examples: [
    ['console --profile acme', 'see and change everything of an account'],
    ['console --local', 'the data of this project on this machine'],
    ['console --sandbox --read-only', 'look at the embedded platform, change nothing'],
  ],
  async run(context, { flags }) {
    const place = placeOf(flags);
    const first: Target = flags.local ? 'local' : flags.preview ? 'preview' : 'production';
    return context.openConsole(({ target = first, profile }, note) => {
      const where = profile === undefined ? place : { ...place, ...othersOf(profile) };
      return context.openSession(
        { ...where, local: target === 'local', preview: target === 'preview' },
        note,
      );
    });
  },
});
