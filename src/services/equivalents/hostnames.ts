import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { deleteHostname, listHostnames, readHostname, refreshHostname } from '../hostnames/hostnames.ts';
import type { Act } from './act.ts';

/** Acts on a custom hostname of a zone, and on the list that it stands in. */
export function hostnameActs(zoneId: string, record: CustomHostname | undefined): readonly Act[] {
  const flags = { 'zone-id': zoneId };
  const list: Act = {
    about: 'List the hostnames',
    words: 'hostname list',
    flags,
    accountOnly: true,
    send: (session) => listHostnames(session, zoneId).next(),
  };
  if (record === undefined) return [list];
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
      send: (session) => deleteHostname(session, zoneId, id),
    },
    list,
  ];
}

/** Acts on a diagnosis: it is known by the name only. */
export function diagnosisActs(zoneId: string, hostname: string): readonly Act[] {
  const on = { words: 'hostname diagnose', args: [hostname], accountOnly: true };
  return [
    { about: 'Diagnose it', ...on, flags: { 'zone-id': zoneId } },
    { about: 'Diagnose and mend it', ...on, flags: { 'zone-id': zoneId, fix: true } },
  ];
}
