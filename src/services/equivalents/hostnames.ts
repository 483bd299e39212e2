import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { deleteHostname, listHostnames, readHostname, refreshHostname } from '../hostnames/hostnames.ts';
import type { Act } from './act.ts';

/** Acts on a custom hostname of a zone, or on marked ones, and on the list that it stands in. */
export function hostnameActs(
  zoneId: string,
  record: CustomHostname | undefined,
  marked: readonly CustomHostname[] = [],
): readonly Act[] {
  const flags = { 'zone-id': zoneId };
  const list: Act = {
    about: 'List the hostnames',
    words: 'hostname list',
    flags,
    accountOnly: true,
    send: (session) => listHostnames(session, zoneId).next(),
  };
  const whole = [list, ...zoneActs(flags)];
  if (marked.length > 0) return [...markedActs(flags, marked), ...whole];
  if (record === undefined) return whole;
  const { id, hostname } = record;
  const on = { flags, args: [hostname], accountOnly: true };
  return [
    {
      about: 'Show it',
      words: 'hostname get',
      ...on,
      send: (session) => readHostname(session, zoneId, id),
    },
    { about: 'Diagnose it', words: 'hostname diagnose', ...on },
    {
      about: 'Restart validation',
      words: 'hostname refresh',
      ...on,
      send: (session) => refreshHostname(session, zoneId, record),
    },
    {
      about: 'Delete it',
      words: 'hostname delete',
      ...on,
      send: (session) => deleteHostname(session, zoneId, record),
    },
    {
      about: 'Change its origin',
      words: 'hostname edit',
      ...on,
      flags: { ...flags, origin: record.custom_origin_server ?? 'ORIGIN' },
    },
    { about: 'Tell its customer what to enter', words: 'hostname instructions', ...on },
    ...whole,
  ];
}

type Flags = Readonly<Record<string, string>>;

/** Marked hostnames that a command line names: more would be no line to read. */
const mostNames = 100;

function markedActs(flags: Flags, marked: readonly CustomHostname[]): readonly Act[] {
  const names = marked.slice(0, mostNames).map(({ hostname }) => hostname);
  const on = { flags, args: names, accountOnly: true };
  const those = names.length === 1 ? 'the marked one' : `the ${names.length} marked ones`;
  return [
    { about: `Diagnose ${those}`, words: 'hostname diagnose', ...on },
    { about: `Restart the validation of ${those}`, words: 'hostname refresh', ...on },
    {
      about: `Change the origin of ${those}`,
      words: 'hostname edit',
      ...on,
      flags: { ...flags, origin: 'ORIGIN' },
    },
    { about: `Delete ${those}`, words: 'hostname delete', ...on },
  ];
}

/** Acts on all hostnames of a zone. */
function zoneActs(flags: Flags): readonly Act[] {
  const on = { flags, accountOnly: true };
  return [
    ...forecastActs(flags['zone-id'] ?? ''),
    { about: 'Export them', words: 'hostname export', ...on, flags: { ...flags, output: 'wanted.csv' } },
    ...planActs(flags['zone-id'] ?? '', 'wanted.csv', false).slice(0, 1),
    { about: 'Set the fallback origin', words: 'hostname fallback-origin set', ...on, args: ['ORIGIN'] },
    { about: 'Show the hold of the zone', words: 'zone hold get', ...on },
  ];
}

/** Acts on the renewals of a zone. */
export function forecastActs(zoneId: string): readonly Act[] {
  const on = { words: 'hostname forecast', accountOnly: true };
  return [{ about: 'Foresee the renewals', ...on, flags: { 'zone-id': zoneId } }];
}

/** Acts on the plan that a file makes. */
export function planActs(zoneId: string, path: string, prune: boolean, limit?: number): readonly Act[] {
  const on = { words: 'hostname reconcile', accountOnly: true };
  const flags = {
    'zone-id': zoneId,
    file: path,
    ...(prune && { prune: true as const }),
    ...(limit !== undefined && { limit: String(limit) }),
  };
  return [
    { about: 'Plan it', ...on, flags: { ...flags, plan: true } },
    { about: 'Plan it, ask, and carry it out', ...on, flags },
  ];
}

/** Acts on diagnosed hostnames. */
export function diagnosesActs(zoneId: string, names: readonly string[]): readonly Act[] {
  if (names.length === 0) return [];
  const on = { words: 'hostname diagnose', args: names, accountOnly: true };
  return [{ about: 'Diagnose them', ...on, flags: { 'zone-id': zoneId } }];
}

/** Acts on a diagnosis: it is known by the name only. */
export function diagnosisActs(zoneId: string, hostname: string): readonly Act[] {
  const on = { words: 'hostname diagnose', args: [hostname], accountOnly: true };
  return [
    { about: 'Diagnose it', ...on, flags: { 'zone-id': zoneId } },
    { about: 'Diagnose and mend it', ...on, flags: { 'zone-id': zoneId, fix: true } },
  ];
}
