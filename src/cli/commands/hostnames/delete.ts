import { deleteHostname, resolveHostname } from '../../../services/hostnames/hostnames.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';
import { openZone } from './zone-choice.ts';

export const deleteCommand = command<typeof declared.hostnameDelete>({
  async run(context, { args, flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const { id, hostname, status } = await resolveHostname(session, zoneId, args.HOSTNAME);
    await context.ask.confirm(
      `Delete custom hostname "${hostname}" (${id}, ${status ?? 'no status'}) and its certificate on ${session.label}? Created again, its tokens are new.`,
      `Custom hostname "${hostname}" (${id}) and its certificate would be deleted.`,
    );
    await deleteHostname(session, zoneId, id);
    await context.output.result(`Deleted custom hostname ${hostname} (${id}).`, {
      id,
      hostname,
      deleted: true,
    });
  },
});
