import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { diagnose } from '../../../src/model/diagnosis/diagnose.ts';
import { noFacts } from '../../../src/model/diagnosis/facts.ts';
import { Problem } from '../../../src/model/problem.ts';
import { diagnoseMany } from '../../../src/services/diagnosis/many.ts';
import { type RunKey, type SavedRun, withSavedRun } from '../../../src/services/diagnosis/saved-run.ts';
import { SavedRunFile } from '../../../src/services/diagnosis/saved-run-file.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';
import { stubPlatform } from '../hostnames/platform.ts';

const key: RunKey = { operation: 'hostname forecast', zoneId: 'z', how: { days: 30 } };
let now: number;
let views: string;
let session: Session;
beforeEach(() => {
  now = Date.parse('2026-11-01T00:00:00Z');
  const folders = foldersIn(scratchFolder('home'));
  views = join(folders.state, 'looks');
  session = { ...stubPlatform(() => undefined).session, world: testWorld({ folders, now: () => now }) };
});

/** Returns facts about a hostname, whose zone facts contain the current time and therefore identify the run. */
const gathered = (hostname: string) => ({ ...noFacts(hostname, now), zone: { unknown: `asked at ${now}` } });

/** Saves the facts of the hostnames at these indexes, and stops before the run is complete. */
async function stopped(resume: boolean, places: Readonly<Record<string, number>>): Promise<void> {
  const view = withSavedRun(session, key, resume, async (saved) => {
    for (const [hostname, place] of Object.entries(places))
      if ((await saved?.findFacts(hostname, place)) === undefined)
        await saved?.keep(place, gathered(hostname));
    throw new Error('stopped');
  });
  await expect(view).rejects.toThrow('stopped');
}

/** Resumes the run, and returns the result of `take` for the saved file. */
const found = <T>(take: (view: SavedRun) => T, of = key) =>
  withSavedRun(session, of, true, async (view) => view && take(view));
const earlier = (of = key) => found((view) => view.earlier, of);
const first = () => found((view) => view.first.map(({ hostname }) => hostname));

test('resumes only a run with the same zone, command and options', async () => {
  await stopped(false, { a: 0, b: 1 });
  const others = [{ zoneId: 'y' }, { operation: 'hostname diagnose' }, { how: { days: 31 } }];
  for (const other of others) expect(await earlier({ ...key, ...other })).toBe(0);
  expect(await earlier()).toBe(2);
});

test('accepts facts that were saved before the clock was set back', async () => {
  await stopped(false, { a: 0 });
  now -= 1;
  expect(await earlier()).toBe(0);
});

test('lists the hostnames of a saved run up to the first gap, in their current order', async () => {
  await stopped(false, { a: 0, b: 1, c: 3 });
  expect(await first()).toEqual(['a', 'b']);
  await stopped(true, { c: 2 });
  expect(await first()).toEqual(['a', 'b', 'c']);
});

test('loses only the incomplete last line after a kill', async () => {
  await stopped(false, { a: 0 });
  const [name = ''] = readdirSync(views).filter((one) => one.endsWith('.ndjson'));
  appendFileSync(join(views, name), '{"place":1,"facts":{"host');
  now += 1;
  await stopped(true, { b: 1 });
  expect(await first()).toEqual(['a', 'b']);
  expect(await found((view) => view.findFacts('b', 1))).toEqual(gathered('b'));
});

test('does not repeat work that failed before saving started', async () => {
  let runs = 0;
  const failing = withSavedRun(session, key, false, async () => {
    runs += 1;
    throw new Problem('system', 'The disk is full.');
  });
  await expect(failing).rejects.toThrow('The disk is full.');
  expect(runs).toBe(1);
});

test('saves no fact that an earlier run already saved', async () => {
  await stopped(false, { a: 0 });
  const saved: string[] = [];
  const many = withSavedRun(session, key, true, async (view) => {
    if (view === undefined) throw new Error('Nothing is kept.');
    const keep: SavedRun['keep'] = async (_, { hostname }) => void saved.push(hostname);
    const diagnoser = {
      async diagnose(hostname: string) {
        const facts = noFacts(hostname, now);
        return { facts, diagnosis: diagnose(facts) };
      },
      close: async () => undefined,
    };
    const hostnames = [{ hostname: 'a' }, { hostname: 'b' }];
    const reporter = { progress: () => undefined, warn: () => undefined };
    const given: string[] = [];
    for await (const { facts } of diagnoseMany(diagnoser, hostnames, reporter, {
      savedRun: { ...view, keep },
    }))
      given.push(facts.hostname);
    return given;
  });
  expect([await many, saved]).toEqual([['a', 'b'], ['b']]);
});

test('adds nothing to a full file, and keeps its content', async () => {
  const file = new SavedRunFile(join(views, 'full.ndjson'), 4000);
  const taken: boolean[] = [];
  for (const hostname of ['a', 'b', 'c', 'd', 'e', 'f'])
    taken.push(await file.add(0, noFacts(hostname, now)));
  const saved = taken.filter(Boolean).length;
  expect([taken[0], taken.at(-1), (await file.read()).size]).toEqual([true, false, saved]);
  await file.close();
});
