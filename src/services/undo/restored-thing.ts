import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { KeyEntry } from '../../model/kv/kv.ts';
import type { ObjectEntry } from '../../model/objects/object.ts';
import type { ZoneDnsRecord } from '../../model/zones/zone.ts';

/** A restored resource, for display. */
export type RestoredThing =
  | { readonly kind: 'value'; readonly namespaceId: string; readonly entry: KeyEntry }
  | { readonly kind: 'object'; readonly bucket: string; readonly entry: ObjectEntry }
  | { readonly kind: 'hostname'; readonly zoneId: string; readonly record: CustomHostname }
  | { readonly kind: 'dns-record'; readonly zoneId: string; readonly record: ZoneDnsRecord }
  | { readonly kind: 'fallback-origin'; readonly zoneId: string; readonly origin: string }
  | { readonly kind: 'batch'; readonly things: readonly RestoredThing[] };
