import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../../../files/folders.ts';
import { withLock } from '../../../lock.ts';
import type { FleetEvent, WatchedHostname } from '../../../model/hostnames/fleet/events.ts';
import { Problem } from '../../../model/problem.ts';
import type { World } from '../../../world.ts';
import {
  readStateFile,
  readStoredState,
  replaceStateFile,
  writeStoredState,
} from '../../session/state-file.ts';

const text = v.optional(v.string());
const state = v.object({ status: v.string(), certificate: v.string(), kind: text, who: text, basis: text });
const watchMemory = v.object({
  version: v.literal(1),
  hostnames: v.array(v.object({ id: v.string(), hostname: v.string(), ...state.entries })),
  /** The number of the first event in `events`. The numbers start at 1. */
  first: v.number(),
  events: v.array(
    v.object({
      version: v.literal(1),
      id: v.string(),
      type: v.picklist(['appeared', 'changed', 'gone']),
      at: v.string(),
      zoneId: v.string(),
      hostname: v.string(),
      hostnameId: v.string(),
      before: v.optional(state),
      after: v.optional(state),
    }),
  ),
});

const shape = v.pipe(v.string(), v.parseJson(), watchMemory);

/** The last observed state of the watched hostnames, and the events whose delivery was not confirmed. */
export interface WatchMemory {
  readonly hostnames: ReadonlyMap<string, WatchedHostname>;
  /** The number of the first event in `events`. The numbers start at 1. */
  readonly first: number;
  readonly events: readonly FleetEvent[];
}

/**
 * The state of a watch, saved across runs. The hostnames and the undelivered events are saved together in one file, atomically, so a killed
 * process loses no event. The number of the last delivered event is in a second file, which is replaced after each delivery.
 */
export interface WatchFiles {
  /** Reads the saved state, without delivered events; returns undefined before the first reading. */
  read(): Promise<WatchMemory | undefined>;
  write(memory: WatchMemory): Promise<void>;
  /** Records that all events up to this number were delivered. */
  deliver(number: number): Promise<void>;
  /** Runs `work` while no other process runs the same watch. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Opens the files of one watch, which is identified by its zone and its receiver. */
export function openWatchFiles(world: World, watch: readonly unknown[]): WatchFiles {
  const folder = join(world.folders.state, 'watches');
  const name = createHash('sha256').update(JSON.stringify(watch)).digest('hex').slice(0, 40);
  const path = (ending: string): string => join(folder, `${name}.${ending}`);
  return {
    async read() {
      const memory = parsed(readStoredState('watch', path('json')) ?? '');
      if (memory === undefined) {
        // Without the saved state, the numbers of the events start at 1 again, so the number of the last delivered event is invalid.
        await rm(path('done'), { force: true });
        return undefined;
      }
      const done = Number(readStateFile(path('done')) ?? '0');
      const gone = Math.min(memory.events.length, Math.max(0, done - memory.first + 1));
      return { ...memory, first: memory.first + gone, events: memory.events.slice(gone) };
    },
    async write({ hostnames, first, events }) {
      const content = { hostnames: [...hostnames.values()], first, events };
      await writeStoredState(world, 'watch', path('json'), content, { sync: true });
    },
    deliver: (number) => replaceStateFile(world, path('done'), String(number), false),
    async alone(work) {
      makePrivateFolder(folder);
      return withLock(path('held'), { world, timeoutMs: 0, toProblem: busy }, work);
    },
  };
}

function parsed(json: string): WatchMemory | undefined {
  const found = v.safeParse(shape, json);
  if (!found.success) return undefined;
  const { hostnames, first, events } = found.output;
  return { hostnames: new Map(hostnames.map((one) => [one.id, one])), first, events };
}

function busy(): Problem {
  return new Problem('store-busy', 'Another process is already watching these hostnames.');
}
