import { typedPath } from '../../../src/files/typed-path.ts';
import type { TaskWork } from '../../../src/model/tasks/task.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import { lookAtPath, writingFault } from '../../../src/services/objects/file-look.ts';
import type { MarkedHostname } from '../../../src/services/tasks/hostnames.ts';
import { groupDigits } from '../../../src/text/size.ts';
import type { PaneParts } from '../../console/use-console.ts';
import type { ListOutcome } from '../../lists/list-source.ts';
import type { HostnameParts } from './list-parts.ts';
import { type FleetCommand, replaceFileDialog } from './marked.ts';

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
      const path = typedPath(parts.world, command.path);
      const state = await lookAtPath(path);
      if (state === 'file') return { opens: { pane: 'plan', zone, path, prune: command.prune } };
      const isThere = state === 'folder' || state === 'other';
      return { errors: { path: isThere ? 'This is no file.' : 'There is no such file.' } };
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
  const count = marked.length === 1 ? '1 hostname' : `${groupDigits(marked.length)} hostnames`;
  return { notice: `${doing} ${count}: 5 shows the task.` };
}

async function beginExport(
  command: Extract<FleetCommand, { does: 'export' }>,
  zone: Zone,
  parts: PaneParts,
): Promise<ListOutcome<HostnameParts>> {
  const path = typedPath(parts.world, command.path);
  const state = await lookAtPath(path);
  const missing = state === 'no-folder' ? 'There is no such folder.' : undefined;
  const error = writingFault(command.path, state) ?? missing;
  if (error !== undefined) return { errors: { path: error } };
  if (state === 'file' && !command.replace) return { dialog: replaceFileDialog(command) };
  await parts.tasks.start({ does: 'export-hostnames', zone, path, replace: command.replace }, command.marked);
  return { notice: 'Exporting: 5 shows the task.' };
}
