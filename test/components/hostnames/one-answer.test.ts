import { expect, onTestFinished, test } from 'vitest';
import { createInstructions, type Instructions } from '../../../src/model/instructions/instructions.ts';
import { diagnoseOne } from '../../../src/services/diagnosis/many.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { listZones } from '../../../src/services/zones/zones.ts';
import { demoFolders } from '../../support/demo.ts';
import { findLetterFault } from '../../support/letters.ts';
import { testWorld } from '../../support/world.ts';
import { testNow } from '../open-console.tsx';
import {
  countsOf,
  disagreementIn,
  expectOneAnswer,
  readSurfaces,
  type Said,
  saidBy,
  watchOnce,
} from './surfaces.ts';

async function openDemo(): Promise<{ readonly session: Session; readonly zoneId: string }> {
  const world = testWorld({ now: () => testNow, folders: await demoFolders(testNow) });
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  onTestFinished(() => session.close());
  for await (const [zone] of listZones(session)) if (zone !== undefined) return { session, zoneId: zone.id };
  throw new Error('no zone');
}

test('shows the same assumed cause of each demo hostname on every surface, and replaces the assumption with a newer diagnosis', async () => {
  const { session, zoneId } = await openDemo();
  const guesses = await readSurfaces(session, zoneId);
  const list = guesses.get('list') ?? new Map<string, Said>();
  expect([...list.values()].filter(({ isGuess }) => isGuess).length).toBeGreaterThan(10);
  for (const [hostname, { who, isGuess }] of list) {
    for (const [name, said] of guesses)
      expect([name, hostname, said.get(hostname)]).toMatchObject([
        name,
        hostname,
        who === 'nobody' ? { who } : { who, isGuess },
      ]);
  }
  const roles = { critical: 'critical', error: 'fault', warn: 'warning', progress: 'pending', ok: 'good' };
  for (const { severity, state } of list.values()) expect(roles).toHaveProperty(severity ?? '', state?.[1]);
  for (const [hostname, { state }] of guesses.get('home') ?? [])
    if (state !== undefined) expect(state[1]).toBe(list.get(hostname)?.state?.[1]);

  const first = await watchOnce(session, zoneId);
  expect([first.said.size, first.counts]).toEqual([0, countsOf(guesses)]);

  const diagnosed = new Map<string, Said>();
  const letters = new Map<string, Instructions>();
  for (const hostname of list.keys()) {
    const { facts, diagnosis } = await diagnoseOne(session, zoneId, hostname);
    diagnosed.set(hostname, saidBy(diagnosis.findings));
    letters.set(hostname, createInstructions(facts, diagnosis));
    expect([findLetterFault(facts), disagreementIn(facts)]).toEqual([undefined, undefined]);
  }
  expect([...letters.values()].filter(({ state }) => /under a hold/.test(state))).toHaveLength(1);
  expect(letters.get('landing.paperplane.demo')).toMatchObject({
    turn: 'us',
    state: expect.stringContaining('no certificate'),
  });
  await expectOneAnswer(session, zoneId, diagnosed);
});
