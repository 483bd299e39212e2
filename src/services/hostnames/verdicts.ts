import { createHash } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../../files/folders.ts';
import { verdictShape } from '../../model/diagnosis/facts-shape.ts';
import { isUrgent, type Verdict } from '../../model/hostnames/attention.ts';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import type { World } from '../../world.ts';
import { platformName } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { isLeftAlone, writeStoredState } from '../session/state-file.ts';

/** The newest result of a diagnosis for each hostname of a zone, by hostname id, saved across commands for lists and watches. */
export interface Verdicts {
  find(id: string): Verdict | undefined;
  /** Records a result; `save` writes it to the file. A result without a problem only removes the previous result of the hostname. */
  note(id: string, verdict: Verdict): void;
  /** Saves all changes. Ignores a failed write: without a saved result, the cause is derived from the record. */
  save(): Promise<void>;
}

type Saved = ReadonlyMap<string, Verdict>;

const fileShape = v.object({
  version: v.literal(1),
  verdicts: v.array(v.tuple([v.string(), verdictShape])),
});

/** Parsed files by path, so that a console that rereads four rows every two seconds does not parse the file each time. */
const lastRead = new WeakMap<World, Map<string, { readonly stamp: string; readonly saved: Saved }>>();

export async function openVerdicts(session: Session, zoneId: string): Promise<Verdicts> {
  const { world } = session;
  const path = verdictsPath(session, zoneId);
  const verdicts = new Map(await read(session, path));
  let changes: (readonly [string, Verdict])[] = [];
  return {
    find: (id) => verdicts.get(id),
    note(id, verdict) {
      if (JSON.stringify(verdicts.get(id)) === JSON.stringify(verdict)) return;
      if (!isUrgent(verdict.severity) && !verdicts.has(id)) return;
      apply(verdicts, [id, verdict]);
      changes.push([id, verdict]);
    },
    async save() {
      if (changes.length === 0) return;
      // Reads the file again, because another command may have written it meanwhile.
      const saved = new Map(await read(session, path));
      for (const change of changes) apply(saved, change);
      changes = [];
      await write(world, path, saved).catch(() => undefined);
    },
  };
}

/** Removes all results of a zone after a change that affects all its hostnames. */
export async function forgetVerdicts(session: Session, zoneId: string): Promise<void> {
  await rm(verdictsPath(session, zoneId), { force: true }).catch(() => undefined);
}

function apply(verdicts: Map<string, Verdict>, [id, verdict]: readonly [string, Verdict]): void {
  if (isUrgent(verdict.severity)) verdicts.set(id, verdict);
  else verdicts.delete(id);
}

function verdictsPath(session: Session, zoneId: string): string {
  const zone = JSON.stringify([platformName(session), zoneId]);
  const name = createHash('sha256').update(zone).digest('hex').slice(0, 40);
  return join(session.world.folders.state, 'verdicts', `${name}.json`);
}

async function read(session: Session, path: string): Promise<Saved> {
  const { world } = session;
  try {
    const { mtimeMs, size, ino } = await stat(path);
    const stamp = `${mtimeMs} ${size} ${ino}`;
    const files = lastRead.get(world) ?? new Map();
    lastRead.set(world, files);
    const known = files.get(path);
    if (known?.stamp === stamp) return known.saved;
    const saved = new Map(v.parse(fileShape, JSON.parse(await readFile(path, 'utf8'))).verdicts);
    files.set(path, { stamp, saved });
    return saved;
  } catch {
    isLeftAlone(session, 'verdicts', path);
    return new Map();
  }
}

/**
 * Saves the results that are less than a day older than the newest result. Does not use this machine's clock, because the platform's clock
 * may differ.
 */
async function write(world: World, path: string, saved: Saved): Promise<void> {
  const newest = [...saved.values()].reduce((latest, { at }) => Math.max(latest, at), 0);
  const verdicts = [...saved].filter(([, { at }]) => newest - at < dayMilliseconds);
  makePrivateFolder(dirname(path));
  await writeStoredState(world, 'verdicts', path, { verdicts }, { sync: false });
}
