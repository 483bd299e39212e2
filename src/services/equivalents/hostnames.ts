import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { deleteHostname, listHostnames, readHostname, refreshHostname } from '../hostnames/hostnames.ts';
import type { CliEquivalent } from './cli-equivalent.ts';

export function hostnameList(zoneId: string): CliEquivalent {
  return {
    about: 'List the hostnames',
    words: 'hostname list',
    flags: { 'zone-id': zoneId },
    accountOnly: true,
    place: 'last',
    send: (session) => listHostnames(session, zoneId).next(),
  };
}

export function hostnameGet(zoneId: string, { id, hostname }: CustomHostname): CliEquivalent {
  return {
    about: 'Show the hostname',
    words: 'hostname get',
    flags: { 'zone-id': zoneId },
    args: [hostname],
    accountOnly: true,
    place: 'first',
    send: (session) => readHostname(session, zoneId, id),
  };
}

export function hostnameInstructions(zoneId: string, { hostname }: CustomHostname): CliEquivalent {
  return {
    about: 'Write instructions for the customer',
    words: 'hostname instructions',
    flags: { 'zone-id': zoneId },
    args: [hostname],
    accountOnly: true,
  };
}

export function hostnameDiagnose(zoneId: string, hostname: string): CliEquivalent {
  return {
    about: 'Diagnose the hostname',
    words: 'hostname diagnose',
    flags: { 'zone-id': zoneId },
    args: [hostname],
    accountOnly: true,
  };
}

export function hostnameFix(zoneId: string, hostname: string): CliEquivalent {
  return {
    ...hostnameDiagnose(zoneId, hostname),
    about: 'Diagnose and fix the hostname',
    flags: { 'zone-id': zoneId, fix: true },
  };
}

/** The hostnames for a command: the marked hostnames, or else the selected hostname. */
export interface ChosenHostnames {
  readonly zoneId: string;
  readonly record: CustomHostname | undefined;
  readonly marked: readonly CustomHostname[];
}

/** Maximum number of hostnames on a command line. */
const maxNames = 100;

function onChosen(
  { zoneId, record, marked }: ChosenHostnames,
  one: (record: CustomHostname) => Pick<CliEquivalent, 'about' | 'flags' | 'send'>,
  many: (those: string) => Pick<CliEquivalent, 'about' | 'flags'>,
  words: string,
): readonly CliEquivalent[] {
  const [about, names] =
    marked.length > 0
      ? [
          many(
            marked.length === 1
              ? 'the marked hostname'
              : `the ${Math.min(marked.length, maxNames)} marked hostnames`,
          ),
          marked,
        ]
      : [record && one(record), record === undefined ? [] : [record]];
  if (about === undefined) return [];
  return [
    {
      ...about,
      words,
      flags: { 'zone-id': zoneId, ...about.flags },
      args: names.slice(0, maxNames).map(({ hostname }) => hostname),
      accountOnly: true,
    },
  ];
}

export function chosenDiagnose(chosen: ChosenHostnames): readonly CliEquivalent[] {
  return onChosen(
    chosen,
    () => ({ about: 'Diagnose the hostname' }),
    (those) => ({ about: `Diagnose ${those}` }),
    'hostname diagnose',
  );
}

export function chosenRefresh(chosen: ChosenHostnames): readonly CliEquivalent[] {
  return onChosen(
    chosen,
    (record) => ({
      about: 'Restart validation',
      send: (session) => refreshHostname(session, chosen.zoneId, record),
    }),
    (those) => ({ about: `Restart the validation of ${those}` }),
    'hostname refresh',
  );
}

export function chosenEdit(chosen: ChosenHostnames): readonly CliEquivalent[] {
  return onChosen(
    chosen,
    (record) => ({
      about: 'Change the origin',
      flags: { origin: record.custom_origin_server ?? 'ORIGIN' },
    }),
    (those) => ({ about: `Change the origin of ${those}`, flags: { origin: 'ORIGIN' } }),
    'hostname edit',
  );
}

export function chosenDelete(chosen: ChosenHostnames): readonly CliEquivalent[] {
  return onChosen(
    chosen,
    (record) => ({
      about: 'Delete the hostname',
      send: (session) => deleteHostname(session, chosen.zoneId, record),
    }),
    (those) => ({ about: `Delete ${those}` }),
    'hostname delete',
  );
}

export function hostnamesDiagnose(zoneId: string, names: readonly string[]): readonly CliEquivalent[] {
  if (names.length === 0) return [];
  return [
    {
      about: 'Diagnose the hostnames',
      words: 'hostname diagnose',
      flags: { 'zone-id': zoneId },
      args: names.slice(0, maxNames),
      accountOnly: true,
    },
  ];
}

export function hostnameForecast(zoneId: string): CliEquivalent {
  return {
    about: 'Forecast the renewals',
    words: 'hostname forecast',
    flags: { 'zone-id': zoneId },
    accountOnly: true,
  };
}

/** Name of the file that lists the hostnames, for commands that act on a whole zone. */
const hostnamesFile = 'wanted.csv';

export function hostnameExport(zoneId: string): CliEquivalent {
  return {
    about: 'Export the hostnames',
    words: 'hostname export',
    flags: { 'zone-id': zoneId, output: hostnamesFile },
    accountOnly: true,
  };
}

/** A file that lists hostnames, and the options for reconciling a zone with this file. */
interface Reconciled {
  readonly path: string;
  readonly prune: boolean;
  readonly limit?: number | undefined;
}

export function hostnamePlan(
  zoneId: string,
  reconciled: Reconciled = { path: hostnamesFile, prune: false },
): CliEquivalent {
  return {
    about: 'Plan a reconcile',
    words: 'hostname reconcile',
    flags: { ...reconcileFlags(zoneId, reconciled), plan: true },
    accountOnly: true,
  };
}

export function hostnameReconcile(zoneId: string, reconciled: Reconciled): CliEquivalent {
  return {
    about: 'Plan a reconcile, confirm, and apply the plan',
    words: 'hostname reconcile',
    flags: reconcileFlags(zoneId, reconciled),
    accountOnly: true,
  };
}

function reconcileFlags(zoneId: string, { path, prune, limit }: Reconciled) {
  return {
    'zone-id': zoneId,
    file: path,
    ...(prune && { prune }),
    ...(limit !== undefined && { limit: String(limit) }),
  };
}

export function fallbackOriginSet(zoneId: string): CliEquivalent {
  return {
    about: 'Set the fallback origin',
    words: 'hostname fallback-origin set',
    flags: { 'zone-id': zoneId },
    args: ['ORIGIN'],
    accountOnly: true,
  };
}

export function zoneHoldGet(zoneId: string): CliEquivalent {
  return {
    about: 'Show the zone hold',
    words: 'zone hold get',
    flags: { 'zone-id': zoneId },
    accountOnly: true,
  };
}
