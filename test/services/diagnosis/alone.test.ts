import { afterEach, expect, test } from 'vitest';
import { sampleCases } from '../../support/in-part.ts';
import { openStage, type Stage, target } from '../hostnames/stage.ts';
import { carryOut, type ToldFinding } from './carry-out.ts';
import { type AloneScene, aloneScenes, shop } from './scenes/alone-scenes.ts';
import { isActive } from './scenes/scene.ts';

let stage: Stage;
afterEach(() => stage.close());

async function diagnose(): Promise<readonly ToldFinding[]> {
  const ran = await stage.edgectl('hostname', 'diagnose', shop, '--target', target, '--json');
  return (JSON.parse(ran.out) as { diagnoses: { findings: ToldFinding[] }[] }).diagnoses[0]?.findings ?? [];
}

function faultsIn(findings: readonly ToldFinding[]): readonly ToldFinding[] {
  return findings.filter(({ severity }) => ['critical', 'error'].includes(severity));
}

/** Applies the remedy of the most severe finding, at most twice, until no fault is left. Returns the findings of the last diagnosis. */
async function remedyTheRest(): Promise<readonly ToldFinding[]> {
  for (let round = 1; ; round += 1) {
    await stage.advance(600);
    await stage.edgectl('hostname', 'refresh', shop);
    await stage.advance(600);
    const findings = await diagnose();
    const [first] = faultsIn(findings);
    if (first === undefined || round === 3) return findings;
    await carryOut(stage, first);
  }
}

async function play({ id, bring, mend }: AloneScene): Promise<void> {
  stage = await openStage({ served: true });
  await bring(stage);
  const found = await diagnose();
  const finding = found.find((one) => one.id === id);
  expect(finding, found.map((one) => one.id).join(' ')).toMatchObject({ id });
  expect(finding?.evidence).not.toEqual([]);
  await mend?.(stage);
  if (finding !== undefined) await carryOut(stage, finding);
  const left = await remedyTheRest();
  expect(left.map((one) => one.id)).not.toContain(id);
  expect(faultsIn(left)).toEqual([]);
  expect(isActive(await stage.record(shop))).toBe(true);
}

test.each(sampleCases(aloneScenes, 3))(
  'finds $id with evidence; the remedy removes the finding and leaves the hostname active',
  play,
);
