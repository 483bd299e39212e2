import { advance, step } from '../model/hostname-machine.ts';
import type { Observation } from '../model/hostname-observation.ts';
import { type HostnameState, wantedCertificate } from '../model/hostname-state.ts';
import type { KeyedCertificate, StoredHostname } from '../store/hostnames.ts';
import type { StoredZone } from '../store/zones.ts';
import { delegationSuffix } from '../v4/wire.ts';
import { clockNow } from './clock.ts';
import type { Platform } from './exchange.ts';
import { lookAt } from './hostnames-look.ts';
import { surroundingsOf } from './hostnames-surroundings.ts';

/** The provider's name in fields and targets. */
export const brand = 'cloudflare';

const turns = new WeakMap<Platform, Promise<unknown>>();

/** Runs `work` when everything before it on this platform's hostnames is done: certificates are made asynchronously. */
export function inTurn<T>(platform: Platform, work: () => Promise<T>): Promise<T> {
  const run = (turns.get(platform) ?? Promise.resolve()).then(work);
  turns.set(
    platform,
    run.catch(() => undefined),
  );
  return run;
}

/** Does what time has brought to all custom hostnames, then `work`, with nothing between. */
export function upToDate<T>(platform: Platform, work: () => T | Promise<T>): Promise<T> {
  return inTurn(platform, async () => {
    await runDue(platform);
    return work();
  });
}

/**
 * Changes what is around custom hostnames: DNS, holds, origins. What was due before is done as the world was then;
 * every hostname that sees a difference is checked at once.
 */
export function changeSurroundings<T>(platform: Platform, edit: () => T): Promise<T> {
  return inTurn(platform, async () => {
    await runDue(platform);
    const now = clockNow(platform);
    const all = platform.registry().hostnames.list();
    const before = seenNow(platform, all, now);
    const result = edit();
    const after = seenNow(platform, all, now);
    const affected = all.filter(({ state }) => before.get(state.record.id) !== after.get(state.record.id));
    for (const stored of affected) await check(platform, stored, now);
    return result;
  });
}

/** Gives what is seen of a hostname at a moment, as things stand. */
export function observer(
  platform: Platform,
  zone: StoredZone,
  stored: Pick<StoredHostname, 'activatedAt'> & { readonly hostname: string; readonly state?: HostnameState },
): (moment: number) => Observation {
  const record = stored.state?.record;
  return lookAt(surroundingsOf(platform), {
    zone,
    hostname: stored.hostname,
    delegation: delegationSuffix(zone.delegation, brand),
    rival: hasRival(platform, zone.id, stored.hostname, stored.activatedAt),
    ...(record !== undefined && { record }),
  });
}

/** A hostname with what came of it: undefined when it is deleted. */
export interface Settled {
  readonly state: HostnameState;
  readonly keyed?: KeyedCertificate;
}

/** Does everything that is due for one hostname, making the certificates that it waits for. */
export async function settle(
  platform: Platform,
  start: Settled,
  look: (moment: number) => Observation,
  now: number,
): Promise<Settled | undefined> {
  let { state, keyed } = start;
  for (;;) {
    const wanted = wantedCertificate(state);
    if (wanted !== undefined) {
      const { makeCertificate } = await import('./certificates.ts');
      const made = await makeCertificate(platform.registry().settings, platform.random, wanted);
      state = step(state, { type: 'issued', certificate: made.installed }, wanted.since) ?? state;
      keyed = made.keyed;
    }
    const next = advance(state, look, now);
    if (next === undefined) return undefined;
    if (wantedCertificate(next) === undefined) return { state: next, ...(keyed && { keyed }) };
    state = next;
  }
}

/** Puts what came of a hostname in place of what was stored; whoever else has the hostname is checked if it won. */
export async function keep(
  platform: Platform,
  stored: StoredHostname,
  settled: Settled | undefined,
  now: number,
  isEdit = false,
): Promise<void> {
  const { hostnames } = platform.registry();
  if (settled === undefined) {
    hostnames.remove(stored.zoneId, stored.state.record.id);
    return;
  }
  const wins = becomesActive(stored.state, settled.state) || (isEdit && isActive(settled.state));
  const saved = hostnames.save({ ...stored, ...settled, ...(wins && { activatedAt: now }) });
  if (!saved || !wins) return;
  const others = hostnames.named(settled.state.record.hostname);
  for (const other of others.filter(({ zoneId }) => zoneId !== stored.zoneId))
    await check(platform, other, now);
}

function isActive(state: HostnameState): boolean {
  return state.record.status === 'active' || state.record.status === 'active_redeploying';
}

function becomesActive(before: HostnameState, after: HostnameState): boolean {
  return !isActive(before) && isActive(after);
}

async function runDue(platform: Platform): Promise<void> {
  const now = clockNow(platform);
  const { hostnames } = platform.registry();
  for (const stored of hostnames.due(now)) await run(platform, stored, now);
}

async function run(platform: Platform, stored: StoredHostname, now: number): Promise<void> {
  const look = lookOf(platform, stored);
  if (look === undefined) return;
  await keep(platform, stored, await settle(platform, stored, look, now), now);
}

/** Looks at a hostname now, whatever its schedule says. */
async function check(platform: Platform, stored: StoredHostname, now: number): Promise<void> {
  const look = lookOf(platform, stored);
  if (look === undefined) return;
  const checked = step(stored.state, { type: 'check', seen: look(now) }, now);
  const settled = checked && (await settle(platform, { ...stored, state: checked }, look, now));
  await keep(platform, stored, settled, now);
}

function lookOf(platform: Platform, stored: StoredHostname): ((moment: number) => Observation) | undefined {
  const zone = surroundingsOf(platform).zones.find(({ id }) => id === stored.zoneId);
  if (zone === undefined) return undefined;
  return observer(platform, zone, { ...stored, hostname: stored.state.record.hostname });
}

function seenNow(
  platform: Platform,
  all: readonly StoredHostname[],
  now: number,
): ReadonlyMap<string, string> {
  const seen = all.map((stored) => [stored.state.record.id, JSON.stringify(lookOf(platform, stored)?.(now))]);
  return new Map(seen as [string, string][]);
}

function hasRival(
  platform: Platform,
  zoneId: string,
  hostname: string,
  activatedAt: number | undefined,
): boolean {
  if (activatedAt === undefined) return false;
  const others = platform.registry().hostnames.named(hostname);
  return others.some(
    (other) => other.zoneId !== zoneId && isActive(other.state) && (other.activatedAt ?? 0) > activatedAt,
  );
}
