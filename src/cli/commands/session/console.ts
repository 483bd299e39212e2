import { parseLink } from '../../../model/places/link.ts';
import type { Target } from '../../../model/target.ts';
import { mannersOf, mannerVariables } from '../../../services/session/manners.ts';
import { command, type OpenSession } from '../../parsing/command.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import type * as declared from './declarations.ts';

/** Another profile brings its own account and platform. */
function othersOf(profile: string) {
  return { profile, accountId: undefined, zoneId: undefined, apiBaseUrl: undefined };
}

export const consoleCommand = command<typeof declared.openConsole>({
  async run(context, { args, flags }) {
    const { PLACE: place = 'home' } = args;
    parseLink(place);
    const manners = mannerVariables(flags);
    mannersOf({ ...context.world, env: { ...context.world.env, ...manners } });
    const local = localChoice(flags);
    const first: Target = flags.local ? 'local' : flags.preview ? 'preview' : 'production';
    const open: OpenSession = ({ target = first, profile }, note) => {
      const where = profile === undefined ? local : { ...local, ...othersOf(profile) };
      return context.openSession(
        { ...where, local: target === 'local', preview: target === 'preview' },
        note,
      );
    };
    return context.openConsole(open, place, manners);
  },
});
