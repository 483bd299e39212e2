import { type Dispatch, useEffect, useReducer } from 'react';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { type Run, useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import type { BucketsAction } from '../keymap/objects.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import { useObjectTaskEnd } from '../tasks/ends.ts';
import {
  type BucketsCommand,
  type BucketsEvent,
  type BucketsState,
  createDialog,
  noBuckets,
  readBucketForm,
  reduceBuckets,
  removeDialog,
  selectedBucket,
} from './buckets-state.ts';
import { startWords } from './commands.ts';
import type { ObjectService } from './service.ts';

interface Buckets {
  readonly state: BucketsState;
  dispatch: Dispatch<BucketsEvent>;
  act(action: BucketsAction): void;
  perform(command: BucketsCommand): void;
  save(): void;
}

/**
 * The state of the buckets pane and what its actions do. `height` is the number of rows on the screen; what tasks come
 * to is told while the pane is `visible`.
 */
export function useBuckets(height: number, visible: boolean): Buckets {
  const parts = useConsole();
  const objects = useService('objects');
  const [state, dispatch] = useReducer(reduceBuckets, noBuckets);
  const run = useRun();
  const perform = (command: BucketsCommand) => {
    dispatch({ type: 'begun', command });
    run(runOf(command, objects, parts, dispatch));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(() => perform({ does: 'list' }), []);
  const save = () => {
    const read = readBucketForm(state.dialog);
    if (read === undefined) return;
    if ('errors' in read) dispatch({ type: 'form', event: { type: 'refused', errors: read.errors } });
    else perform(read.command);
  };
  useObjectTaskEnd({ visible }, () => {
    dispatch({ type: 'stale' });
    run(runOf({ does: 'list' }, objects, parts, dispatch));
  });
  const act = (action: BucketsAction) => {
    if (isMove(action)) dispatch({ type: 'moved', move: action, height });
    else actionsOf(state, dispatch, perform, parts)[action]();
  };
  return { state, dispatch, act, perform, save };
}

function actionsOf(
  state: BucketsState,
  dispatch: Dispatch<BucketsEvent>,
  perform: (command: BucketsCommand) => void,
  parts: ConsoleParts,
): Record<Exclude<BucketsAction, Move>, () => void> {
  const bucket = selectedBucket(state);
  return {
    open: () => bucket && parts.open({ pane: 'objects', bucket, folder: '' }),
    create: () => dispatch({ type: 'asked', dialog: createDialog() }),
    remove: () => bucket && perform({ does: 'count', bucket }),
    filter: () => dispatch({ type: 'filtered', text: state.contains }),
    refresh: () => perform({ does: 'list' }),
    copy: () => bucket && parts.notify(parts.copy(Buffer.from(bucket.name), 'the name')),
    back: () => (state.contains === '' ? parts.back() : dispatch({ type: 'unfiltered' })),
  };
}

function runOf(
  command: BucketsCommand,
  objects: ObjectService,
  parts: ConsoleParts,
  dispatch: Dispatch<BucketsEvent>,
): Run<BucketsEvent> {
  return {
    name: command.does === 'list' ? 'list' : 'write',
    work: (signal) => carryOut(command, objects, parts, signal, dispatch),
    done: dispatch,
    failed: (problem) => dispatch({ type: 'failed', problem, command }),
  };
}

async function carryOut(
  command: BucketsCommand,
  objects: ObjectService,
  { tasks, notify }: ConsoleParts,
  signal: AbortSignal,
  dispatch: Dispatch<BucketsEvent>,
): Promise<BucketsEvent> {
  switch (command.does) {
    case 'list':
      return listAll(objects, signal, dispatch);
    case 'create': {
      const bucket = await objects.createBucket(command.name, { location: command.location });
      return { type: 'created', bucket };
    }
    case 'count': {
      const { bucket } = command;
      const count = await objects.count(bucket.name, '', signal);
      return { type: 'asked', dialog: removeDialog({ bucket, count }) };
    }
    case 'remove': {
      const { name } = command.bucket;
      await tasks.start({ does: 'delete-bucket', bucket: name }, []);
      notify(startWords('Deleting', `the bucket ${escapeText(name)}`));
      return { type: 'started' };
    }
  }
}

async function listAll(
  objects: ObjectService,
  signal: AbortSignal,
  dispatch: Dispatch<BucketsEvent>,
): Promise<BucketsEvent> {
  const buckets: Bucket[] = [];
  for await (const page of objects.listBuckets(signal)) {
    signal.throwIfAborted();
    buckets.push(...page);
    dispatch({ type: 'listed', buckets: [...buckets], complete: false });
  }
  return { type: 'listed', buckets, complete: true };
}
