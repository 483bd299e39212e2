import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { HostnameHistory } from '../model/facts.ts';
import type { CustomHostname } from '../model/hostname.ts';
import type { Session } from './session.ts';

const time = v.optional(v.number());
const memoryShape = v.object({
  version: v.literal(1),
  /** By id of the custom hostname. */
  hostnames: v.record(v.string(), v.object({ movedSeenAt: time, refreshedAt: time })),
  /** When certificates were asked for lately. */
  issued: v.array(v.number()),
  /** Until when issuance is refused, as last met. */
  blockedUntil: time,
});

type Memory = v.InferOutput<typeof memoryShape>;

/**
 * What edgectl remembers of a zone's hostnames, because the platform tells no such dates: when each was first seen in
 * Moved, when it was refreshed, and which certificates were asked for in the last minute. Times are milliseconds.
 */
export interface ZoneMemory {
  historyOf(id: string): HostnameHistory;
  /** Notes who is in Moved and who no longer is. */
  see(records: Iterable<CustomHostname>, now: number): void;
  noteRefresh(id: string, now: number): void;
  /** Certificates asked for since `since`. */
  issuedSince(since: number): readonly number[];
  noteIssuance(now: number): void;
  noteBlock(until: number): void;
  readonly blockedUntil: number | undefined;
  /** Writes what has changed. Never refuses: what cannot be kept is only less exact the next time. */
  save(): Promise<void>;
}

/** Opens the memory of a zone in the user's state folder; makes nothing before the first write. */
export async function openZoneMemory(session: Session, zoneId: string): Promise<ZoneMemory> {
  const name = createHash('sha256').update(JSON.stringify([session.apiBaseUrl, session.label, zoneId]));
  const folder = join(session.world.folders.state, 'hostnames');
  const path = join(folder, `${name.digest('hex').slice(0, 40)}.json`);
  const memory = await read(path);
  let changed = false;
  const change = (id: string, fields: HostnameHistory): void => {
    memory.hostnames[id] = { ...memory.hostnames[id], ...fields };
    changed = true;
  };
  return {
    historyOf: (id) => historyOf(memory, id),
    see(records, now) {
      for (const { id, status } of records) {
        const seen = memory.hostnames[id]?.movedSeenAt;
        if (status === 'moved' && seen === undefined) change(id, { movedSeenAt: now });
        if (status === 'active' && memory.hostnames[id] !== undefined) {
          delete memory.hostnames[id];
          changed = true;
        }
      }
    },
    noteRefresh: (id, now) => change(id, { refreshedAt: now }),
    issuedSince: (since) => memory.issued.filter((at) => at > since),
    noteIssuance(now) {
      memory.issued = [...memory.issued.filter((at) => at > now - 10 * 60_000), now];
      changed = true;
    },
    noteBlock(until) {
      memory.blockedUntil = until;
      changed = true;
    },
    get blockedUntil() {
      return memory.blockedUntil;
    },
    async save() {
      if (!changed) return;
      changed = false;
      await write(folder, path, `${path}.${session.world.pid}.tmp`, memory).catch(() => undefined);
    },
  };
}

function historyOf(memory: Memory, id: string): HostnameHistory {
  const { movedSeenAt, refreshedAt } = memory.hostnames[id] ?? {};
  return {
    ...(movedSeenAt !== undefined && { movedSeenAt }),
    ...(refreshedAt !== undefined && { refreshedAt }),
  };
}

async function read(path: string): Promise<Memory> {
  try {
    return v.parse(memoryShape, JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return { version: 1, hostnames: {}, issued: [] };
  }
}

async function write(folder: string, path: string, temporary: string, memory: Memory): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(temporary, JSON.stringify(memory), { mode: 0o600 });
  await rename(temporary, path);
}
