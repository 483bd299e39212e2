import { bool, list, object, optional, time } from '../../../model/shape.ts';
import {
  setRecordFields,
  zone,
  zoneDnsRecord,
  zoneDnsRecordFields,
} from '../../../model/zones/zone-shape.ts';
import { value } from '../../output/answer-shape.ts';
import { undoId } from '../undo/answers.ts';

/** The answer uses the platform's field names. */
const hold = object({
  hold: bool('Whether other accounts are prevented from adding the zone'),
  include_subdomains: bool('Whether other accounts are also prevented from adding its subdomains'),
  hold_after: optional(time('When a released hold takes effect again')),
});

export const zoneAnswers = {
  'zone list': value(list(zone, 'Zones that the credentials can access')),
  'zone record list': value(list(zoneDnsRecord, 'DNS records in the zone')),
  'zone record set': value(list(object({ ...setRecordFields, undo: undoId }), 'One record per content')),
  'zone record delete': value(
    list(object({ ...zoneDnsRecordFields, undo: undoId }), 'The records that were deleted'),
  ),
  'zone hold get': value(hold),
  'zone hold set': value(hold),
  'zone hold release': value(hold),
} as const;
