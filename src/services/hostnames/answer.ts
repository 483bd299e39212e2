import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { refuseOther } from '../session/agreement.ts';
import { wireHostname } from './body.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The record with which the platform has answered a write, whose body was `sent`. Refuses that of another hostname, and
 * one that has other origins or another kind of certificate than were asked for. `what` was to be done.
 */
export function writtenHostname(
  what: string,
  asked: { readonly id?: string; readonly hostname: string },
  sent: Json,
  record: CustomHostname,
): CustomHostname {
  const { id, hostname, ssl } = record;
  const wanted = { ...asked, hostname: wireHostname(asked.hostname) };
  refuseOther(what, wanted, { id, hostname: wireHostname(hostname) });
  refuseOther(what, originsOf(sent), originsOf({ ...record }));
  const order = fieldsOf(sent['ssl']);
  // An empty authority leaves the choice to the platform.
  const authority = order['certificate_authority'] || undefined;
  const { method, wildcard } = order;
  refuseOther(what, { method, wildcard, certificate_authority: authority }, ssl);
  const { min_tls_version } = fieldsOf(order['settings']);
  refuseOther(what, { min_tls_version }, ssl?.settings);
  return record;
}

function originsOf(body: Json): Json {
  const names = ['custom_origin_server', 'custom_origin_sni'].map((name) => [name, body[name]] as const);
  return Object.fromEntries(
    names.map(([name, value]) => [name, typeof value === 'string' ? wireHostname(value) : value]),
  );
}

function fieldsOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
