import { advance, step } from '../../model/hostnames/machine.ts';
import type { Observation } from '../../model/hostnames/observation.ts';
import { type HostnameState, wantedCertificate } from '../../model/hostnames/state.ts';
import type { KeyedCertificate, StoredHostname } from '../../store/hostnames/hostnames.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { delegationSuffix } from '../../v4/wire.ts';
import { clockNow } from '../http/clock.ts';
import { type Platform, rootPlatform } from '../http/exchange.ts';
import { readInternet } from './internet.ts';
import { findIssuanceRefusal } from './interventions.ts';
import { type Internet, observe } from './observe.ts';

/** The provider's name in fields and targets. */
export const brand = 'cloudflare';

const turns = new WeakMap<Platform, Promise<unknown>>();

/**
 * Runs `work` after all earlier work on this platform's hostnames has ended, because certificates are created
 * asynchronously.
 */
export function runInTurn<T>(platform: Platform, work: () => Promise<T>): Promise<T> {
  const whole = rootPlatform(platform);
  const run = (turns.get(whole) ?? Promise.resolve()).then(work);
  turns.set(
    whole,
    run.catch(() => undefined),
  );
  return run;
}

/** Brings the state of all custom hostnames up to the current time, then runs `work`, without other work in between. */
export function runUpToDate<T>(seen: Platform, work: () => T | Promise<T>): Promise<T> {
  const platform = rootPlatform(seen);
  return runInTurn(platform, async () => {
    await runDue(platform);
    return work();
  });
}

/** The time at which the platform sees a change: immediately, which saves time, or at the next due check, as on the real platform. */
type Notice = 'at-once' | 'later';

/** Returns when the platform should see a change: later if the query contains `notice=later`, otherwise immediately. */
export function readNotice(query: URLSearchParams): Notice {
  return query.get('notice') === 'later' ? 'later' : 'at-once';
}

/**
 * Changes the data on which custom hostnames depend: DNS, holds or origins. Checks that are already due run before the change. All affected
 * hostnames are checked immediately, unless `notice` is `later`.
 */
export function changeInternet<T>(seen: Platform, edit: () => T, notice: Notice = 'at-once'): Promise<T> {
  const platform = rootPlatform(seen);
  return runInTurn(platform, async () => {
    await runDue(platform);
    const { atOnce } = platform.registry();
    if (notice === 'later') return atOnce(edit);
    const now = clockNow(platform);
    const all = platform.registry().hostnames.list();
    const before = observeAll(platform, all, now);
    const result = atOnce(edit);
    const after = observeAll(platform, all, now);
    const affected = all.filter(({ state }) => before.get(state.record.id) !== after.get(state.record.id));
    await runAll(platform, affected, now, checkHostname);
    return result;
  });
}

type Subject = Pick<StoredHostname, 'activatedAt'> & {
  readonly hostname: string;
  readonly state?: HostnameState;
};

/** Returns a function that observes a hostname in the current internet at a given time. */
export function createObserver(
  platform: Platform,
  zone: StoredZone,
  stored: Subject,
): (moment: number) => Observation {
  return createObserverIn(readSurroundings(platform), zone, stored);
}

/** Like `createObserver`, but reads the data around the hostnames only once for many hostnames. */
export function createObservers(
  platform: Platform,
): (zone: StoredZone, stored: Subject) => (moment: number) => Observation {
  const around = readSurroundings(platform);
  return (zone, stored) => createObserverIn(around, zone, stored);
}

/** The data that observations depend on, read once for many hostnames. */
interface Surroundings {
  readonly platform: Platform;
  readonly internet: Internet;
  /** Hostnames that exist in more than one zone. */
  readonly shared: ReadonlySet<string>;
}

function readSurroundings(platform: Platform): Surroundings {
  return { platform, internet: readInternet(platform), shared: platform.registry().hostnames.shared() };
}

/** Like `createObserver`, but uses data that was already read. */
function createObserverIn(
  { platform, internet, shared }: Surroundings,
  zone: StoredZone,
  stored: Subject,
): (moment: number) => Observation {
  const record = stored.state?.record;
  return observe(internet, {
    zone,
    hostname: stored.hostname,
    delegation: delegationSuffix(zone.delegation, brand),
    rival: shared.has(stored.hostname) && hasRival(platform, zone.id, stored.hostname, stored.activatedAt),
    ...(record !== undefined && { record }),
  });
}

/** A hostname's state after all due steps, and its certificate with the key, if any. */
export interface SettledHostname {
  readonly state: HostnameState;
  readonly keyed?: KeyedCertificate;
}

/** Runs all due steps for one hostname, and issues pending certificates. Returns undefined if the hostname is deleted. */
export async function settle(
  platform: Platform,
  start: SettledHostname,
  observe: (moment: number) => Observation,
  now: number,
): Promise<SettledHostname | undefined> {
  let { state, keyed } = start;
  for (;;) {
    const wanted = wantedCertificate(state);
    if (wanted !== undefined) {
      const message = findIssuanceRefusal(platform, wanted);
      if (message !== undefined)
        state = step(state, { type: 'issuance-refused', message }, wanted.since) ?? state;
      else {
        const { makeCertificate } = await import('./certificates.ts');
        const made = await makeCertificate(platform.registry().settings, platform.random, wanted);
        state = step(state, { type: 'issued', certificate: made.installed }, wanted.since) ?? state;
        keyed = made.keyed;
      }
    }
    const next = advance(state, observe, now);
    if (next === undefined) return undefined;
    if (wantedCertificate(next) === undefined) return { state: next, ...(keyed && { keyed }) };
    state = next;
  }
}

/**
 * Stores the new state of a hostname. If the hostname has become active, the same hostname in other zones is checked. Returns false if the
 * hostname was changed in the meantime, and was therefore not stored.
 */
export async function storeHostname(
  platform: Platform,
  work: Work,
  settled: SettledHostname | undefined,
  now: number,
): Promise<boolean> {
  const outcome = write(platform, work, settled, now);
  if (outcome === 'won') await checkRivals(platform, [work.stored], now);
  return outcome !== 'lost';
}

/**
 * A hostname as read from the registry. With `isEdit`, a caller is changing the hostname, which then takes precedence over the same
 * hostname in other zones.
 */
interface Work {
  readonly stored: StoredHostname;
  readonly isEdit?: boolean;
}

function write(
  platform: Platform,
  { stored, isEdit = false }: Work,
  settled: SettledHostname | undefined,
  now: number,
): 'kept' | 'won' | 'lost' {
  const { hostnames } = platform.registry();
  if (settled === undefined) {
    hostnames.remove(stored.zoneId, stored.state.record.id);
    return 'kept';
  }
  const wins = isActive(settled.state) && (isEdit || !isActive(stored.state));
  const saved = hostnames.save({ ...stored, ...settled, ...(wins && { activatedAt: now }) });
  if (!saved) return 'lost';
  return wins ? 'won' : 'kept';
}

async function checkRivals(
  platform: Platform,
  winners: readonly StoredHostname[],
  now: number,
): Promise<void> {
  const { hostnames } = platform.registry();
  const rivals = winners.flatMap(({ zoneId, state }) =>
    hostnames.named(state.record.hostname).filter((other) => other.zoneId !== zoneId),
  );
  if (rivals.length > 0) await runAll(platform, rivals, now, checkHostname);
}

function isActive(state: HostnameState): boolean {
  return state.record.status === 'active' || state.record.status === 'active_redeploying';
}

async function runDue(platform: Platform): Promise<void> {
  const now = clockNow(platform);
  const due = platform.registry().hostnames.due(now);
  if (due.length > 0) await runAll(platform, due, now, ({ state }) => state);
}

/** Number of hostnames to process in parallel and write in one transaction. */
export const batchSize = 64;

/** Runs `prepare` and then all due steps for each hostname. */
async function runAll(
  platform: Platform,
  all: readonly StoredHostname[],
  now: number,
  prepare: (stored: StoredHostname, observe: Observer, now: number) => HostnameState | undefined,
): Promise<void> {
  const winners: StoredHostname[] = [];
  for (let at = 0; at < all.length; at += batchSize) {
    const some = all.slice(at, at + batchSize);
    const around = readSurroundings(platform);
    const settled = await Promise.all(
      some.map(async (stored) => {
        const observe = createStoredObserver(around, stored);
        const state = observe === undefined ? stored.state : prepare(stored, observe, now);
        if (observe === undefined || state === undefined) return state === undefined ? undefined : stored;
        return settle(platform, { ...stored, state }, observe, now);
      }),
    );
    platform.registry().hostnames.together(() => {
      for (const [index, stored] of some.entries()) {
        if (write(platform, { stored }, settled[index], now) === 'won') winners.push(stored);
      }
    });
  }
  await checkRivals(platform, winners, now);
}

/** Checks a hostname now, regardless of its schedule. */
function checkHostname({ state }: StoredHostname, observe: Observer, now: number): HostnameState | undefined {
  return step(state, { type: 'check', seen: observe(now) }, now);
}

/** Observes a hostname at the given time, in milliseconds since the UNIX epoch. */
type Observer = (moment: number) => Observation;

function createStoredObserver(around: Surroundings, stored: StoredHostname): Observer | undefined {
  const zone = around.internet.zones.find(({ id }) => id === stored.zoneId);
  if (zone === undefined) return undefined;
  return createObserverIn(around, zone, { ...stored, hostname: stored.state.record.hostname });
}

function observeAll(
  platform: Platform,
  all: readonly StoredHostname[],
  now: number,
): ReadonlyMap<string, string> {
  const around = readSurroundings(platform);
  const seen = all.map((stored) => [
    stored.state.record.id,
    JSON.stringify(createStoredObserver(around, stored)?.(now)),
  ]);
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
