import type { Dispatch } from 'react';
import type { ObjectAddress, ObjectEntry } from '../../src/model/object.ts';
import { escapeText } from '../../src/text/escape.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { type ConsoleParts, useConsole } from '../use-console.ts';
import { useRun } from '../use-run.ts';
import { useService } from '../use-service.ts';
import { carryOutObject, type ObjectCommand, type ObjectOutcome } from './object-commands.ts';
import { readObjectForm, removeBelowForm } from './object-forms.ts';
import { formBefore, type Work, type WorkEvent } from './object-work.ts';
import { progressTeller } from './transfer-words.ts';

/** What a pane makes of what becomes of objects. */
export interface ObjectListener {
  /** An object as it now is; without an entry it is gone. */
  changed(address: ObjectAddress, entry: ObjectEntry | undefined): void;
  /** All below a prefix is gone. */
  emptied(prefix: string): void;
}

interface ObjectWork {
  carryOut(command: ObjectCommand): void;
  /** Does what the form before the pane asks for. */
  save(): void;
  stop(): void;
}

/** Carries out commands about the objects of a bucket, one at a time, with their dialogs and progress. */
export function useObjectWork(
  bucket: string,
  work: Work,
  dispatch: Dispatch<WorkEvent>,
  listener: ObjectListener,
): ObjectWork {
  const parts = useConsole();
  const service = useService('objects');
  const run = useRun();
  const carryOut = (command: ObjectCommand) => {
    dispatch({ type: 'begun', command });
    run({
      name: 'work',
      work: (signal) => {
        const progress = progressTeller(signal, (busy) => dispatch({ type: 'went-on', busy }));
        return carryOutObject(command, service, { signal, progress });
      },
      done: (outcome) => settle(outcome, bucket, parts, dispatch, listener),
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
    stop() {
      run({ name: 'work', work: async () => undefined, done: () => undefined, failed: () => undefined });
      dispatch({ type: 'ended' });
      parts.notify('Stopped. A transfer has changed nothing; what was deleted until then is gone.');
    },
  };
}

function settle(
  outcome: ObjectOutcome,
  bucket: string,
  parts: ConsoleParts,
  dispatch: Dispatch<WorkEvent>,
  listener: ObjectListener,
): void {
  if (outcome.type === 'exists') dispatch(outcome);
  else if (outcome.type === 'counted') {
    const address = { bucket, key: outcome.prefix };
    dispatch({ type: 'asked', dialog: removeBelowForm(address, outcome.count) });
  } else {
    dispatch({ type: 'ended' });
    parts.notify(endWords(outcome));
    if (outcome.type === 'stored') listener.changed(outcome.at, outcome.entry);
    if (outcome.type === 'removed') listener.changed(outcome.address, undefined);
    if (outcome.type === 'emptied') listener.emptied(outcome.prefix);
  }
}

function endWords(outcome: Exclude<ObjectOutcome, { type: 'exists' | 'counted' }>): string {
  switch (outcome.type) {
    case 'stored':
      return `Stored ${escapeText(`${outcome.at.bucket}/${outcome.at.key}`)}.`;
    case 'saved':
      return `Wrote ${escapeText(outcome.path)} (${formatSize(outcome.bytes)}).`;
    case 'removed':
      return `Deleted ${escapeText(outcome.address.key)}.`;
    case 'emptied': {
      const count = `${groupDigits(outcome.objects)} ${outcome.objects === 1 ? 'object' : 'objects'}`;
      return `Deleted ${count} below ${escapeText(outcome.prefix)}.`;
    }
  }
}
