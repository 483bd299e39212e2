import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStage, type Stage, target } from '../hostnames/stage.ts';
import { carryOut, type ToldFinding } from './carry-out.ts';
import { isActive, scenes } from './scenes.ts';

let stage: Stage;
let found: ReadonlyMap<string, readonly ToldFinding[]>;
let left: ReadonlyMap<string, readonly ToldFinding[]>;

const named = scenes.map((scene) => {
  const domain = `t-${scene.id.toLowerCase()}.com`;
  const host = `shop.${domain}`;
  return { ...scene, host, domain, subject: scene.asked?.(host) ?? host };
});

async function diagnose(): Promise<ReadonlyMap<string, readonly ToldFinding[]>> {
  const hosts = named.map(({ subject }) => subject);
  const ran = await stage.edgectl('hostname', 'diagnose', ...hosts, '--target', target, '--json');
  const { diagnoses } = JSON.parse(ran.out) as {
    readonly diagnoses: readonly { readonly hostname: string; readonly findings: readonly ToldFinding[] }[];
  };
  return new Map(diagnoses.map(({ hostname, findings }) => [hostname, findings]));
}

/** All scenes come about side by side in one sandbox, are diagnosed and remedied together: time passes once for all. */
beforeAll(async () => {
  stage = await openStage({ served: true });
  for (const [at, { host, domain, create, dns, before }] of named.entries()) {
    // The issuance limit is 15 a minute.
    if (at % 14 === 13) await stage.advance(61);
    const entries = dns?.(host, domain) ?? [];
    if (entries.length > 0) await stage.dns(...entries);
    await before?.(stage, host, domain);
    if (create === undefined) continue;
    const ran = await stage.edgectl('hostname', 'create', host, ...create);
    if (ran.code !== 0) throw new Error(`${host}: ${ran.err}`);
  }
  await stage.advance(600);
  for (const { host, domain, after } of named) await after?.(stage, host, domain);
  await stage.advance(300);
  found = await diagnose();
  for (const { id, also, host, domain, subject, mend } of named) {
    await mend?.(stage, host, domain);
    for (const wanted of [id, ...(also ?? [])]) {
      const finding = found.get(subject)?.find((one) => one.id === wanted);
      if (finding !== undefined) await carryOut(stage, finding);
    }
  }
  await stage.advance(600);
  await stage.edgectl('hostname', 'refresh', ...named.map(({ host }) => host));
  await stage.advance(600);
  left = await diagnose();
}, 120_000);
afterAll(() => stage.close());

describe('each finding', () => {
  test.each(named)(
    '$id is found with evidence, goes away with its remedy, and leaves the hostname in service',
    async ({ id, host, subject }) => {
      const finding = found.get(subject)?.find((one) => one.id === id);
      expect(finding, JSON.stringify(found.get(subject)?.map((one) => one.id))).toMatchObject({ id });
      expect(finding?.evidence).not.toEqual([]);
      expect(left.get(subject)?.map((one) => one.id)).not.toContain(id);
      const faults = left.get(subject)?.filter(({ severity }) => ['critical', 'error'].includes(severity));
      expect(faults).toEqual([]);
      expect(isActive(await stage.record(host))).toBe(true);
    },
  );
});
