import { parseLink } from '../../../model/places/link.ts';
import type { Target } from '../../../model/target.ts';
import { flagVariables, readDisplaySettings } from '../../../services/session/display-settings.ts';
import type { SessionChoice } from '../../../services/tasks/context.ts';
import { command, type OpenSession } from '../../parsing/command.ts';
import { localChoice } from '../kv/namespace-choice.ts';
import type * as declared from './declarations.ts';

/**
 * Converts a choice made in the console to session settings, which override the flags. Choosing another profile also resets the account,
 * zone and platform; choosing another account also resets the zone.
 */
function toSessionChoice({ profile, accountId, zoneId }: SessionChoice) {
  const others =
    profile === undefined ? {} : { profile, accountId: undefined, zoneId: undefined, apiBaseUrl: undefined };
  const account = accountId === undefined ? {} : { accountId, zoneId: undefined };
  return { ...others, ...account, ...(zoneId !== undefined && { zoneId }) };
}

export const consoleCommand = command<typeof declared.openConsole>({
  async run(context, { args, flags }) {
    const { PLACE: place = 'home' } = args;
    parseLink(place);
    const manners = flagVariables(flags);
    readDisplaySettings({ ...context.world, env: { ...context.world.env, ...manners } });
    const local = localChoice(flags);
    const first: Target = flags.local ? 'local' : flags.preview ? 'preview' : 'production';
    const open: OpenSession = ({ target = first, ...choice }, note, askWrite) => {
      const where = { ...local, ...toSessionChoice(choice) };
      return context.openSession(
        { ...where, local: target === 'local', preview: target === 'preview' },
        note,
        askWrite,
      );
    };
    return context.openConsole(open, place, manners);
  },
});
