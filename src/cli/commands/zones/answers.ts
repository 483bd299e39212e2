import { bool, list, object, oneOf, optional, time } from '../../../model/shape.ts';
import { zone, zoneDnsRecord, zoneDnsRecordFields } from '../../../model/zones/zone-shape.ts';
import { value } from '../../output/answer-shape.ts';
import { undoId } from '../undo/answers.ts';

/** Uses the platform's field names. */
const hold = object({
  hold: bool('Whether nobody else can take the name'),
  include_subdomains: bool('Whether the names below it neither'),
  hold_after: optional(time('When a released hold comes back')),
});

export const zoneAnswers = {
  'zone list': value(list(zone, 'Zones that the credentials reach')),
  'zone record list': value(list(zoneDnsRecord, 'DNS records of the zone')),
  'zone record set': value(
    list(
      object({
        outcome: oneOf(['made', 'changed', 'there'], 'Created, changed, or unchanged'),
        record: zoneDnsRecord,
        before: optional(zoneDnsRecord),
        undo: undoId,
      }),
      'One for each content',
    ),
  ),
  'zone record delete': value(
    list(object({ ...zoneDnsRecordFields, undo: undoId }), 'The records that were deleted'),
  ),
  'zone hold get': value(hold),
  'zone hold set': value(hold),
  'zone hold release': value(hold),
} as const;
