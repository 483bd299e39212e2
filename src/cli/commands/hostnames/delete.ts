import { deleteHostname, resolveHostname } from '../../../services/hostnames/hostnames.ts';
import { command } from '../../parsing/command.ts';
import { keepsFor } from '../undo/keeping.ts';
import type * as declared from './declarations.ts';
import { openZone } from './zone-choice.ts';

export const deleteCommand = command<typeof declared.hostnameDelete>({
  async run(context, { args, flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const record = await resolveHostname(session, zoneId, args.HOSTNAME);
    const { id, hostname, status } = record;
    const keeping = await keepsFor(context, flags.undo);
    await context.ask.confirm(
      `Delete custom hostname "${hostname}" (${id}, ${status ?? 'no status'}) and its certificate on ${session.label}? Created again, its tokens are new.`,
      `Custom hostname "${hostname}" (${id}) and its certificate would be deleted.`,
    );
    if (keeping === undefined) await deleteHostname(session, zoneId, id);
    else {
      const { deleteHostnameKeeping } = await import('../../../services/undo/hostnames.ts');
      keeping.said(await deleteHostnameKeeping(session, zoneId, record));
    }
    await context.output.result(`Deleted custom hostname ${hostname} (${id}).`, {
      id,
      hostname,
      deleted: true,
    });
  },
});
