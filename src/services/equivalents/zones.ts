import type { ZoneDnsRecord } from '../../model/zones/zone.ts';
import { deleteZoneRecord } from '../zones/records.ts';
import { listZoneRecords } from '../zones/zones.ts';
import type { CliEquivalent } from './cli-equivalent.ts';

export function recordList(zoneId: string): CliEquivalent {
  return {
    about: 'List the DNS records',
    words: 'zone record list',
    flags: { 'zone-id': zoneId },
    accountOnly: true,
    place: 'last',
    send: (session) => listZoneRecords(session, zoneId, {}),
  };
}

export function recordAdd(zoneId: string): CliEquivalent {
  return {
    about: 'Add a record',
    words: 'zone record set',
    flags: { 'zone-id': zoneId },
    args: ['NAME', 'TYPE', 'CONTENT'],
    accountOnly: true,
  };
}

export function recordSet(zoneId: string, { name, type, content, proxied }: ZoneDnsRecord): CliEquivalent {
  return {
    about: 'Set the record',
    words: 'zone record set',
    flags: { 'zone-id': zoneId, ...(proxied === true && { proxied }) },
    args: [name, type, content],
    accountOnly: true,
  };
}

export function recordDelete(zoneId: string, { id, name, type, content }: ZoneDnsRecord): CliEquivalent {
  return {
    about: 'Delete the record',
    words: 'zone record delete',
    flags: { 'zone-id': zoneId },
    args: [name, type, content],
    accountOnly: true,
    send: (session) => deleteZoneRecord(session, zoneId, id),
  };
}
