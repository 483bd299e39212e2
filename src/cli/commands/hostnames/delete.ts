import { deletingSteps } from '../../../services/hostnames/fleet/steps.ts';
import { deleteHostname, resolveHostname } from '../../../services/hostnames/hostnames.ts';
import { checkConfirm } from '../../delete-limit.ts';
import { type Context, command, type Input } from '../../parsing/command.ts';
import { openUndoRecorder } from '../undo/undo-recorder.ts';
import type * as declared from './declarations.ts';
import { choosesMany, doMany } from './fleet/many.ts';
import { openZone } from './zone-choice.ts';

export const deleteCommand = command<typeof declared.hostnameDelete>({
  async run(context, { args, flags }) {
    const choice = { ...flags, having: flags.metadata, havingFlag: '--metadata' };
    const [name, ...others] = args.HOSTNAME;
    if (!choosesMany('hostname delete', args.HOSTNAME, choice) && name !== undefined && others.length === 0) {
      checkConfirm(flags.confirm, false, false);
      return deleteOne(context, name, flags);
    }
    return doMany(context, choice, {
      words: 'hostname delete',
      verb: 'Delete',
      missingIs: 'done',
      names: args.HOSTNAME,
      steps: deletingSteps,
    });
  },
});

async function deleteOne(
  context: Context,
  name: string,
  flags: Input<typeof declared.hostnameDelete>['flags'],
): Promise<number> {
  const { session, zoneId } = await openZone(context, flags);
  const record = await resolveHostname(session, zoneId, name);
  const { id, hostname, status } = record;
  const keeping = await openUndoRecorder(context, flags, 'by default');
  await context.ask.confirm(
    `Delete custom hostname "${hostname}" (${id}, ${status ?? 'no status'}) and its certificate on ${session.label}? If the hostname is created again, it gets new tokens.`,
    `Custom hostname "${hostname}" (${id}) and its certificate would be deleted.`,
  );
  let saved: { readonly undo?: string } = {};
  if (keeping === undefined) await deleteHostname(session, zoneId, record);
  else {
    const { deleteHostnameWithUndo } = await import('../../../services/undo/hostnames.ts');
    saved = keeping.report(await deleteHostnameWithUndo(session, zoneId, record));
  }
  await context.output.result(`Deleted custom hostname ${hostname} (${id}).`, {
    id,
    hostname,
    deleted: true,
    ...saved,
  });
  return 0;
}
