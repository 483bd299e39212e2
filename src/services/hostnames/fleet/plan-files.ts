import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../../../files/folders.ts';
import { findNewerVersion } from '../../../files/stored.ts';
import { Problem } from '../../../model/problem.ts';
import type { World } from '../../../world.ts';
import { onMissing, readStoredState, writeStoredState } from '../../session/state-file.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const parsePlan = v.object({
  version: v.literal(1),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  target: v.string(),
  zoneId: v.string(),
  /** Absolute path of the file with the desired hostnames; undefined for standard input. */
  path: v.optional(v.string()),
  /** SHA-256 of the file's content. */
  fingerprint: v.string(),
  prune: v.boolean(),
  limit: v.optional(count),
  /** Time at which the plan expires, in milliseconds since the UNIX epoch. */
  expires: v.number(),
  /** Whether a run has started to apply the plan. The plan may then be partly applied. */
  begun: v.boolean(),
  /** Time at which the plan was completely applied, in milliseconds since the UNIX epoch. */
  finished: v.optional(v.number()),
  /** The steps that change something, each with its hostname and the SHA-256 of the step. */
  steps: v.array(v.tuple([v.string(), v.string()])),
});

const shape = v.pipe(v.string(), v.parseJson(), parsePlan);

/**
 * A saved plan. Identifies the steps by hashes and does not contain the values to set, because metadata may be confidential.
 */
export type SavedPlan = v.InferOutput<typeof shape>;

/** Lifetime of a saved plan, in milliseconds: after a day, the zone has probably changed. */
export const planLife = 24 * 60 * 60 * 1000;

/** The user's plans in the state folder. Each plan is a file that only its owner can read. */
export interface PlanFiles {
  /** Returns the plan whose hash starts with this string. Throws if the hash is unknown or ambiguous, or if the plan has expired. */
  find(hash: string): Promise<SavedPlan>;
  /** Saves a plan atomically, and removes expired plans. */
  write(plan: SavedPlan): Promise<void>;
  remove(hash: string): Promise<void>;
}

/** Opens the saved plans. Creates no folder before the first write. */
export function openPlanFiles(world: World): PlanFiles {
  const folder = join(world.folders.state, 'plans');
  const getPath = (hash: string): string => join(folder, `${hash}.json`);
  const hashes = async (): Promise<string[]> => {
    const names = await readdir(folder).catch(onMissing<string[]>([]));
    return names.filter((name) => /^[0-9a-f]{64}\.json$/.test(name)).map((name) => name.slice(0, 64));
  };
  // A missing file is not an error, because another command may have removed the file meanwhile.
  const remove = (hash: string): Promise<void> => rm(getPath(hash), { force: true });
  return {
    async find(typed) {
      const hash = typed.toLowerCase();
      if (!/^[0-9a-f]{8,64}$/.test(hash)) throw noHash(typed);
      const found = (await hashes()).filter((one) => one.startsWith(hash));
      if (found.length > 1)
        throw new Problem('invalid-input', `Several plans have a hash that starts with ${typed}.`);
      const [whole = hash] = found;
      const plan = parsed(readStoredState('plan', getPath(whole), 'plan') ?? '');
      if (plan?.hash !== whole) throw unknown(typed);
      if (plan.expires <= world.now()) throw expired(typed);
      return plan;
    },
    async write(plan) {
      makePrivateFolder(folder);
      for (const hash of await hashes()) {
        if (findNewerVersion('plan', getPath(hash)) !== undefined) continue;
        const other = parsed(readStoredState('plan', getPath(hash), 'plan') ?? '');
        if (other === undefined || other.expires <= world.now()) await remove(hash);
      }
      await writeStoredState(world, 'plan', getPath(plan.hash), plan, { sync: true });
    },
    remove,
  };
}

function parsed(text: string): SavedPlan | undefined {
  const found = v.safeParse(shape, text);
  return found.success ? found.output : undefined;
}

function noHash(typed: string): Problem {
  return new Problem(
    'invalid-input',
    `"${typed}" is not the hash of a plan: expected 64 hexadecimal digits, or at least the first 8.`,
  );
}

function unknown(typed: string): Problem {
  return new Problem('invalid-input', `Plan ${typed} not found.`, { remedy: { kind: 'plan-again' } });
}

function expired(typed: string): Problem {
  return new Problem('invalid-input', `Plan ${typed} has expired: it is more than a day old.`, {
    remedy: { kind: 'plan-again' },
  });
}
