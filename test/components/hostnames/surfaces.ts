import { expect } from 'vitest';
import { homeLines } from '../../../components/home/home-lines.ts';
import { emptyHome, type HomeParts, reduceHome } from '../../../components/home/home-state.ts';
import { hostnameColumns } from '../../../components/hostnames/columns.ts';
import { forecastColumns } from '../../../components/hostnames/forecast/forecast-list.ts';
import { hostnamePreview } from '../../../components/hostnames/hostname-preview.ts';
import { linkSettings } from '../../../components/kit/remedy-words.ts';
import { diagnose } from '../../../src/model/diagnosis/diagnose.ts';
import type { Facts } from '../../../src/model/diagnosis/facts.ts';
import type { Responsible } from '../../../src/model/diagnosis/finding.ts';
import { asksToAct } from '../../../src/model/diagnosis/order.ts';
import { agreedForecast } from '../../../src/model/diagnosis/verdict.ts';
import { noMemory } from '../../../src/model/places/memory.ts';
import { fleetService } from '../../../src/services/console/fleet.ts';
import { hostnameService } from '../../../src/services/console/hostnames.ts';
import { FleetWatcher } from '../../../src/services/hostnames/fleet/watch-fleet.ts';
import type { HostnameRow } from '../../../src/services/hostnames/rows.ts';
import { instruct } from '../../../src/services/instructions/instructions.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { instructedLines } from '../../../src/text/instructions/lines.ts';
import { plainSurface } from '../plain-surface.ts';

/** What one view shows about a hostname. A view with fewer details omits fields. */
export interface Said {
  readonly who: string;
  readonly severity?: string;
  readonly isGuess?: boolean;
  /** The word for the hostname's state, and the text role in which the view draws this word or the severity. */
  readonly state?: readonly [word: string, role: string];
}

/** What each view shows about each hostname, by view name. */
export type Surfaces = ReadonlyMap<string, ReadonlyMap<string, Said>>;

/** The console's words for who must act: the short form in lists, and the long form on Home and in the preview. */
const words: readonly (readonly [Responsible, string, string])[] = [
  ['us', 'you', 'you must act'],
  ['customer', 'customer', 'the customer must act'],
  ['zone-owner', 'zone owner', "the owner of the customer's zone must act"],
  ['provider', 'provider', 'the platform must act'],
  ['nobody', '', 'nobody has to act'],
];

type HomeHostnames = NonNullable<HomeParts['hostnames']>;

const nobody = { progress: () => undefined, warn: () => undefined };

/** Reads the rendered views that query only the platform. */
export async function readSurfaces(session: Session, zoneId: string): Promise<Surfaces> {
  const { signal } = new AbortController();
  const zone = { id: zoneId, name: 'saas.sandbox' };
  const rows: HostnameRow[] = [];
  const service = hostnameService(session, linkSettings);
  for await (const page of service.list(zoneId, { contains: '' }, signal)) rows.push(...page);
  const now = rows[0]?.readAt ?? 0;
  const urgent = await service.urgent(zoneId, signal);
  return new Map([
    ['list', byHostname(rows, (row) => inColumns(row, now))],
    ['preview', byHostname(rows, (row) => inPreview(row, now))],
    ['home', inHome({ ...urgent, zone }, now)],
  ]);
}

/** Returns the responsible party and the severity in the headline of a diagnosis; nobody and "ok" if the headline requires no action. */
export function saidBy([headline]: readonly { readonly who: string; readonly severity: string }[]): Said {
  if (headline === undefined || ['info', 'ok'].includes(headline.severity))
    return { who: 'nobody', severity: 'ok' };
  return { who: headline.who, severity: headline.severity };
}

function byHostname(rows: readonly HostnameRow[], read: (row: HostnameRow) => Said): Map<string, Said> {
  return new Map(rows.map((row) => [row.record.hostname, read(row)]));
}

function inColumns(row: HostnameRow, now: number): Said {
  const columns = hostnameColumns(now);
  const find = (heading: string) => columns.find((column) => column.heading === heading);
  const cell = (heading: string): string => find(heading)?.cell(row) ?? '';
  const who = cell('WHO');
  const found = words.find(([, word]) => word === who.replace(/^you\/|\?$/g, ''));
  const state = [cell('STATE'), find('SEVERITY')?.role?.(row) ?? 'plain'] as const;
  return { who: found?.[0] ?? who, severity: cell('SEVERITY'), isGuess: /[?/]/.test(who), state };
}

function saidIn(text: string): Said {
  const said = text.toLowerCase();
  const found = words.find(([, , sentence]) => said.includes(sentence));
  return {
    who: found?.[0] ?? 'nobody',
    isGuess: found !== undefined && said.includes(`probably ${found[2]}`),
  };
}

function saidAtHome(about: string): Said {
  const [either, who = '', guess] = / {2}(you\/)?([a-z]+(?: [a-z]+)?)(\?)?$/.exec(about)?.slice(1) ?? [];
  const isGuess = guess === '?' || either !== undefined;
  return { who: words.find(([, word]) => word === who)?.[0] ?? who, isGuess };
}

function inPreview(row: HostnameRow, now: number): Said {
  const previewed = hostnamePreview(row, now);
  if (!('content' in previewed)) throw new Error('a preview without text');
  const second = previewed.content.lines(plainSurface(80), false).lines(1).join(' ');
  return saidIn(second);
}

function inHome(value: HomeHostnames, now: number): Map<string, Said> {
  const state = reduceHome(emptyHome, { type: 'read', part: 'hostnames', value });
  const facts = {
    state,
    tasks: [],
    held: [],
    memory: noMemory,
    before: undefined,
    nouns: [],
    now,
    height: 1000,
  };
  const said = new Map<string, Said>(
    value.rows.map(({ record }) => [record.hostname, { who: 'nobody', isGuess: false }]),
  );
  for (const line of homeLines(facts)) {
    if (!('id' in line && line.id.startsWith('hostname '))) continue;
    said.set(line.subject, { ...saidAtHome(line.about ?? ''), state: [line.mark, line.role ?? 'plain'] });
  }
  return said;
}

/** Reads the renewals of a zone. The forecast diagnoses the hostnames, and other views show these diagnoses. */
export async function readRenewals(session: Session, zoneId: string): Promise<Map<string, Said>> {
  const { signal } = new AbortController();
  const said = new Map<string, Said>();
  for await (const some of fleetService(session).forecast(zoneId, signal, () => undefined)) {
    for (const row of some) {
      const word = forecastColumns.find(({ heading }) => heading === 'WHO')?.cell(row) ?? '';
      said.set(row.forecast.hostname, { who: words.find(([, one]) => one === word)?.[0] ?? word });
    }
  }
  return said;
}

/**
 * Reads the zone once, as a watch does. Returns the events by hostname, and the counts of hostnames in the metrics, by responsible party.
 */
export async function watchOnce(session: Session, zoneId: string) {
  const watch = { zoneId, status: undefined, interval: 1, timeout: 0, sink: undefined, reporter: nobody };
  const watcher = new FleetWatcher(session, watch);
  const said = new Map<string, Said>();
  await watcher.alone(async () => {
    for await (const { hostname, after } of watcher.events())
      said.set(hostname, { who: after?.who ?? 'nobody', isGuess: after?.basis === 'record' });
  });
  const counts: Record<string, number> = {};
  for (const [, who = '', basis = '', count] of watcher
    .metrics()
    .matchAll(/^edgectl_hostnames_faulty\{.*who="(.*?)",basis="(.*?)"\} (\d+)$/gm)) {
    const key = `${who} ${basis}`;
    counts[key] = (counts[key] ?? 0) + Number(count);
  }
  return { said, counts };
}

/** Returns the counts expected in the metrics, computed from what the list and the preview show for hostnames that need attention. */
export function countsOf(surfaces: Surfaces): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [hostname, { who, severity }] of surfaces.get('list') ?? []) {
    if (severity === 'ok') continue;
    const isGuess = surfaces.get('preview')?.get(hostname)?.isGuess === true;
    const key = `${who} ${isGuess ? 'record' : 'diagnosis'}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Checks that every view agrees with each hostname's diagnosis, and that no view shows an estimate. */
export async function expectOneAnswer(
  session: Session,
  zoneId: string,
  diagnosed: ReadonlyMap<string, Said>,
): Promise<void> {
  // The renewals are read first because the forecast diagnoses all hostnames, and the other views show these diagnoses.
  const renewals = await readRenewals(session, zoneId);
  const surfaces = await readSurfaces(session, zoneId);
  const wrong: string[] = [];
  const compare = (name: string, hostname: string, said: Said | undefined): void => {
    const wanted = diagnosed.get(hostname);
    if (said === undefined || wanted === undefined) return;
    const { who, severity = wanted.severity, isGuess = false } = said;
    if (who !== wanted.who || severity !== wanted.severity || isGuess)
      wrong.push(
        `${hostname}: ${name} says ${JSON.stringify(said)}, the diagnosis ${JSON.stringify(wanted)}`,
      );
  };
  for (const hostname of diagnosed.keys()) {
    for (const [name, said] of surfaces) compare(name, hostname, said.get(hostname));
    compare('renewals', hostname, renewals.get(hostname));
  }
  const { said, counts } = await watchOnce(session, zoneId);
  for (const [hostname, one] of said) compare('watch', hostname, one);
  expect(wrong).toEqual([]);
  expect(counts).toEqual(countsOf(surfaces));
}

/**
 * Returns a description of the disagreement if `hostname get`, the letter or the forecast names a different responsible party from the one
 * in the diagnosis of the same facts; otherwise undefined. A letter to the operator may also name optional steps. A letter must name a
 * responsible party if, and only if, someone must act.
 */
export function disagreementIn(facts: Facts): string | undefined {
  const diagnosis = diagnose(facts);
  const wanted = saidBy(diagnosis.findings);
  const { attention, instructions, remedy } = instruct(facts, diagnosis);
  const got = new Map(
    instructedLines({ instructions, attention, remedy }).map((line) => [
      line.slice(0, 12).trim(),
      line.slice(13),
    ]),
  );
  const record = 'known' in facts.record ? facts.record.known : undefined;
  if (record === undefined || record === null || diagnosis.exit === 1) return undefined;
  const named = diagnosis.findings
    .filter(({ severity }) => !['info', 'ok'].includes(severity))
    .map(({ who }) => who);
  const others = diagnosis.findings.filter(asksToAct);
  const letter = instructions.turn === 'nobody' ? others.length === 0 : named.includes(instructions.turn);
  const get =
    (got.get('who acts') ?? 'nobody') === wanted.who && (got.get('severity') ?? 'ok') === wanted.severity;
  const ahead = agreedForecast(facts);
  const foreseen = ahead === undefined || wanted.who === 'nobody' || ahead.who === wanted.who;
  if (letter && get && foreseen) return undefined;
  return `${facts.hostname}: ${JSON.stringify(wanted)}, letter ${instructions.turn}, get ${[...got].join(' ')}, forecast ${ahead?.who}`;
}
