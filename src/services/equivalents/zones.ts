import type { ZoneDnsRecord } from '../../model/zones/zone.ts';
import { deleteZoneRecord } from '../zones/records.ts';
import { listZoneRecords } from '../zones/zones.ts';
import type { Act } from './act.ts';

/** Acts on the own DNS records of a zone, and on one of them. */
export function recordActs(zoneId: string, record: ZoneDnsRecord | undefined): readonly Act[] {
  const on = { flags: { 'zone-id': zoneId }, accountOnly: true };
  const list: Act = {
    about: 'List the DNS records',
    words: 'zone record list',
    ...on,
    send: (session) => listZoneRecords(session, zoneId, {}),
  };
  if (record === undefined) {
    return [{ about: 'Add one', words: 'zone record set', ...on, args: ['NAME', 'TYPE', 'CONTENT'] }, list];
  }
  const { id, name, type, content, proxied } = record;
  const way = proxied === true ? { proxied: true as const } : {};
  return [
    {
      about: 'Set it',
      words: 'zone record set',
      ...on,
      flags: { ...on.flags, ...way },
      args: [name, type, content],
    },
    {
      about: 'Delete it',
      words: 'zone record delete',
      ...on,
      args: [name, type, content],
      send: (session) => deleteZoneRecord(session, zoneId, id),
    },
    list,
  ];
}
