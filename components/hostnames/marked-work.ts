import type { TaskWork } from '../../src/model/tasks/task.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { MarkedHostname } from '../../src/services/tasks/hostnames.ts';
import { hostnamesOf } from '../../src/text/hostname.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { fileToRead, fileToWrite } from '../ui/forms/named-file.ts';
import type { ListOutcome } from '../ui/lists/list-source.ts';
import type { HostnameParts } from './list-parts.ts';
import type { FleetCommand } from './marked.ts';

/** Starts the task that a command about many hostnames is for, or opens the plan of a file. */
export async function beginMarked(
  command: FleetCommand,
  zone: Zone,
  parts: PaneParts,
): Promise<ListOutcome<HostnameParts>> {
  switch (command.does) {
    case 'remove-marked':
      return {
        ...(await start({ does: 'delete-hostnames', zone }, command.marked, 'Deleting', parts)),
        unmark: true,
      };
    case 'refresh-marked':
      return start({ does: 'refresh-hostnames', zone }, command.marked, 'Restarting', parts);
    case 'edit-marked':
      return start({ does: 'edit-hostnames', zone, wishes: command.edit }, command.marked, 'Changing', parts);
    case 'diagnose-marked': {
      const task = await parts.tasks.start({ does: 'diagnose-hostnames', zone }, command.marked);
      return { opens: { pane: 'diagnoses', zone, id: task.id } };
    }
    case 'export':
      return beginExport(command, zone, parts);
    case 'import': {
      const file = await fileToRead(parts.world, command.path);
      if ('errors' in file) return file;
      const wanted = { zone, path: file.path, prune: command.prune, limit: command.limit };
      const { id } = await parts.tasks.start({ does: 'plan-hostnames', ...wanted }, []);
      return { opens: { pane: 'plan', ...wanted, id } };
    }
  }
}

async function start(
  work: TaskWork,
  marked: readonly MarkedHostname[],
  doing: string,
  { tasks }: PaneParts,
): Promise<ListOutcome<HostnameParts>> {
  await tasks.start(work, marked);
  return { notice: `${doing} ${hostnamesOf(marked.length)}: 5 shows the task.` };
}

async function beginExport(
  command: Extract<FleetCommand, { does: 'export' }>,
  zone: Zone,
  parts: PaneParts,
): Promise<ListOutcome<HostnameParts>> {
  const again = command.replace ? undefined : { ...command, replace: true };
  const file = await fileToWrite(parts.world, command.path, again);
  if ('errors' in file || 'dialog' in file) return file;
  const { replace, marked } = command;
  await parts.tasks.start({ does: 'export-hostnames', zone, path: file.path, replace }, marked);
  return { notice: 'Exporting: 5 shows the task.' };
}
