import type { Dispatch } from 'react';
import { useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import { carryOutObject, type ObjectCommand } from './commands.ts';
import { readObjectForm } from './form-reading.ts';
import { formBefore, type Work, type WorkEvent } from './work.ts';

interface ObjectWork {
  carryOut(command: ObjectCommand): void;
  /** Does what the form before the pane asks for. */
  save(): void;
}

/** Starts tasks about objects, with their dialogs. `started` is told of each. */
export function useObjectWork(
  work: Work,
  dispatch: Dispatch<WorkEvent>,
  started: (command: ObjectCommand, taskId: string) => void,
): ObjectWork {
  const { world, tasks, notify } = useConsole();
  const service = useService('objects');
  const run = useRun();
  const carryOut = (command: ObjectCommand) => {
    dispatch({ type: 'begun', command });
    run({
      name: 'work',
      work: (signal) =>
        carryOutObject(command, {
          service,
          signal,
          cwd: world.cwd,
          start: async (what, marked) => (await tasks.start(what, marked)).id,
        }),
      done: (outcome) => {
        if (outcome.type !== 'started') return dispatch(outcome);
        dispatch({ type: 'ended' });
        notify(outcome.words);
        started(command, outcome.taskId);
      },
      failed: (problem) => dispatch({ type: 'failed', problem, command }),
    });
  };
  return {
    carryOut,
    save() {
      const form = formBefore(work);
      const read = form && readObjectForm(form);
      if (read === undefined) return;
      if ('errors' in read) dispatch({ type: 'form', event: { type: 'refused', errors: read.errors } });
      else carryOut(read.command);
    },
  };
}
