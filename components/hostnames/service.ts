import type { Fact } from '../../src/model/diagnosis/facts.ts';
import type { Step } from '../../src/model/diagnosis/fix-plan.ts';
import type { AuthorityChoice, CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { IssuanceWindow } from '../../src/model/hostnames/issuance.ts';
import { asProblem, Problem } from '../../src/model/problem.ts';
import type { FallbackOrigin, HostnameQuota, Zone } from '../../src/model/zones/zone.ts';
import type { DiagnosedHostname } from '../../src/services/diagnosis/diagnosis.ts';
import { factOf } from '../../src/services/diagnosis/fact.ts';
import type { NewHostname } from '../../src/services/hostnames/body.ts';
import { readFallbackOrigin } from '../../src/services/hostnames/fallback-origin.ts';
import { openZoneMemory } from '../../src/services/hostnames/first-seen.ts';
import { createGauged, readIssuanceWindow } from '../../src/services/hostnames/gauge.ts';
import {
  deleteHostname,
  editHostname,
  listHostnames,
  readHostname,
  readQuota,
  refreshHostname,
} from '../../src/services/hostnames/hostnames.ts';
import { noteRefresh } from '../../src/services/hostnames/refresh.ts';
import { platformClock, readPlatformInfo } from '../../src/services/session/platform-info.ts';
import type { Session } from '../../src/services/session/session.ts';
import { listZones, readZone } from '../../src/services/zones/zones.ts';

/** A custom hostname, and when edgectl first saw it in Moved (milliseconds): the platform does not tell. */
export interface HostnameRow {
  readonly record: CustomHostname;
  readonly movedSeenAt?: number | undefined;
}

/** Zones that the credentials reach; `more` says that there are others. */
export interface ZoneMenu {
  readonly zones: readonly Zone[];
  readonly more: boolean;
}

/** The zone that a session acts on, or those among which one is to be chosen. */
export type ZoneChoice = { readonly zone: Zone } | ZoneMenu;

/** What concerns all custom hostnames of a zone. What cannot be read says why. */
export interface ZoneOverview {
  readonly fallback: Fact<FallbackOrigin | null>;
  readonly quota: Fact<HostnameQuota>;
  /** Milliseconds that the platform's clock is ahead of ours: an embedded one can have been advanced. */
  readonly ahead: number;
}

/** What the platform is asked for: hostnames that contain a text, in a status. Empty texts ask for all. */
export interface HostnameSearch {
  readonly contains: string;
  readonly status: string;
}

/** What became of one step of a plan. */
export interface StepOutcome {
  readonly step: Step;
  readonly problem?: Problem;
}

/** What panes can do with custom hostnames. All refuse with a Problem. */
export interface HostnameService {
  /** Refuses where the credentials reach none. */
  findZone(): Promise<ZoneChoice>;
  listZones(): Promise<ZoneMenu>;
  /** From now on `findZone` answers this one. */
  takeZone(zone: Zone): void;
  readOverview(zoneId: string): Promise<ZoneOverview>;
  /** Asks nobody: it answers also while the platform lets everybody wait. */
  readIssuance(zoneId: string): Promise<IssuanceWindow>;
  list(zoneId: string, search: HostnameSearch, signal: AbortSignal): AsyncGenerator<HostnameRow[]>;
  read(zoneId: string, id: string): Promise<HostnameRow>;
  create(zoneId: string, wanted: NewHostname): Promise<HostnameRow>;
  /** Restarts validation. */
  refresh(zoneId: string, record: CustomHostname): Promise<HostnameRow>;
  changeAuthority(zoneId: string, record: CustomHostname, authority: AuthorityChoice): Promise<HostnameRow>;
  remove(zoneId: string, id: string): Promise<void>;
  /** Gathers everything about a hostname anew, and says what is wrong with it. */
  examine(zoneId: string, hostname: string): Promise<DiagnosedHostname>;
  /** Does the steps one after the other; one that fails does not keep the others. */
  carryOut(zoneId: string, steps: readonly Step[]): Promise<readonly StepOutcome[]>;
  /** Milliseconds until what is in progress is looked at again, after so many looks that found nothing new. */
  pause(quietLooks: number): number;
}

/** The real services over a session. */
export function hostnamesOver(session: Session): HostnameService {
  let taken: Zone | undefined;
  return {
    findZone: async () => (taken === undefined ? findZone(session) : { zone: taken }),
    listZones: () => readZones(session),
    takeZone(zone) {
      taken = zone;
    },
    readOverview: (zoneId) => readOverview(session, zoneId),
    readIssuance: (zoneId) => readIssuanceWindow(session, zoneId),
    list: (zoneId, search, signal) => list(session, zoneId, search, signal),
    read: async (zoneId, id) => rowOf(session, zoneId, await readHostname(session, zoneId, id)),
    create: async (zoneId, wanted) => rowOf(session, zoneId, await createGauged(session, zoneId, wanted)),
    async refresh(zoneId, record) {
      const changed = await refreshHostname(session, zoneId, record);
      await noteRefresh(session, zoneId, record.id);
      return rowOf(session, zoneId, changed);
    },
    async changeAuthority(zoneId, record, authority) {
      const changed = await editHostname(session, zoneId, record, { authority });
      await noteRefresh(session, zoneId, record.id);
      return rowOf(session, zoneId, changed);
    },
    remove: (zoneId, id) => deleteHostname(session, zoneId, id),
    examine: (zoneId, hostname) => examine(session, zoneId, hostname),
    carryOut: (zoneId, steps) => carryOutAll(session, zoneId, steps),
    pause: pauseAfter,
  };
}

/** Zones that a menu offers. */
const offeredZones = 200;

async function findZone(session: Session): Promise<ZoneChoice> {
  const id = (await session.zoneId()) ?? (await readPlatformInfo(session)).zoneId;
  if (id !== undefined) {
    const zone = await factOf(() => readZone(session, id));
    return { zone: 'known' in zone ? zone.known : { id, name: id } };
  }
  const menu = await readZones(session);
  const [first] = menu.zones;
  if (first !== undefined) return menu.zones.length === 1 ? { zone: first } : menu;
  throw new Problem('usage', 'The credentials reach no zone.', {
    hint: 'Custom hostnames belong to a zone: check that the token has "Zone: Read".',
  });
}

async function readZones(session: Session): Promise<ZoneMenu> {
  const zones: Zone[] = [];
  for await (const page of listZones(session)) {
    zones.push(...page);
    if (zones.length > offeredZones) break;
  }
  return { zones: zones.slice(0, offeredZones), more: zones.length > offeredZones };
}

async function readOverview(session: Session, zoneId: string): Promise<ZoneOverview> {
  const [fallback, quota, clock] = await Promise.all([
    factOf(async () => (await readFallbackOrigin(session, zoneId)) ?? null),
    factOf(() => readQuota(session, zoneId)),
    platformClock(session),
  ]);
  return { fallback, quota, ahead: clock() - session.world.now() };
}

async function* list(
  session: Session,
  zoneId: string,
  { contains, status }: HostnameSearch,
  signal: AbortSignal,
): AsyncGenerator<HostnameRow[]> {
  const memory = await openZoneMemory(session, zoneId);
  const clock = await platformClock(session);
  const filter = { ...(contains !== '' && { contains }), ...(status !== '' && { status }) };
  for await (const page of listHostnames(session, zoneId, filter)) {
    signal.throwIfAborted();
    memory.see(page, clock());
    await memory.save();
    yield page.map((record) => ({ record, movedSeenAt: memory.historyOf(record.id).movedSeenAt }));
  }
}

async function rowOf(session: Session, zoneId: string, record: CustomHostname): Promise<HostnameRow> {
  const memory = await openZoneMemory(session, zoneId);
  memory.see([record], (await platformClock(session))());
  await memory.save();
  return { record, movedSeenAt: memory.historyOf(record.id).movedSeenAt };
}

async function examine(session: Session, zoneId: string, hostname: string): Promise<DiagnosedHostname> {
  const { openDiagnoser } = await import('../../src/services/diagnosis/diagnosis.ts');
  const { diagnosisResolver } = await import('../../src/services/diagnosis/resolver.ts');
  const info = await readPlatformInfo(session);
  const resolver = diagnosisResolver(session, info, []);
  const diagnoser = await openDiagnoser(session, zoneId, { resolver, info, probe: true });
  try {
    return await diagnoser.diagnose(hostname);
  } finally {
    await diagnoser.close();
  }
}

async function carryOutAll(
  session: Session,
  zoneId: string,
  steps: readonly Step[],
): Promise<readonly StepOutcome[]> {
  const { applyStep } = await import('../../src/services/diagnosis/fix.ts');
  const { openPacer } = await import('../../src/services/hostnames/pacer.ts');
  const { defaultIssuanceRate } = await import('../../src/model/hostnames/issuance-pace.ts');
  const pacer = await openPacer(session, zoneId, defaultIssuanceRate, () => undefined);
  const outcomes: StepOutcome[] = [];
  for (const step of steps) {
    try {
      await applyStep(session, zoneId, step, pacer);
      outcomes.push({ step });
    } catch (error) {
      const problem = asProblem(error);
      if (['interrupted', 'read-only', 'bug'].includes(problem.code)) throw error;
      outcomes.push({ step, problem });
    }
  }
  return outcomes;
}

/** Short at first, because most become active within minutes. */
function pauseAfter(quietLooks: number): number {
  if (quietLooks < 15) return 2000;
  return quietLooks < 60 ? 5000 : 30_000;
}
