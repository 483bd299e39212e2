import type { Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import { carryOutCommand, type HostnameChange, type HostnameCommand } from './commands.ts';

/** What a pane makes of what becomes of its commands. */
export interface HostnameListener {
  changed(change: HostnameChange): void;
  failed(problem: Problem, command: HostnameCommand): void;
}

/** Carries out commands about one hostname of a zone, and tells what has happened in place of the footer. */
export function useHostnameCommands(
  zone: Zone | undefined,
  listener: HostnameListener,
): (command: HostnameCommand) => void {
  const { notify } = useConsole();
  const service = useService('hostnames');
  const run = useRun();
  return (command) => {
    if (zone === undefined) return;
    run({
      name: command.does,
      work: () => carryOutCommand(command, zone, service),
      done(change) {
        notify(change.notice);
        listener.changed(change);
      },
      failed: (problem) => listener.failed(problem, command),
    });
  };
}
