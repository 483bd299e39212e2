import { object, oneOf, only, optional, type Shape, text } from '../../shape.ts';
import type { FleetEvent, FleetState } from './events.ts';

/** An attribute of a custom hostname that differs from its desired value. */
export const attributeDifference = object({
  field: text('Column of the file; metadata.NAME for one metadata field'),
  from: optional(text('Current value')),
  to: optional(text('Wanted value')),
});

/** The watched attributes of a custom hostname. */
const fleetState: Shape<FleetState> = object({
  status: text('Status of the hostname; none if the platform reports none'),
  certificate: text('Status of the certificate; none if the platform reports none'),
  kind: optional(text('Problem of the hostname in one or two words; absent if the hostname is active')),
  who: optional(text('Who must act')),
  basis: optional(
    text('record: a guess from the record alone; diagnosis: found by a diagnosis less than a day old'),
  ),
});

/** A detected change of a custom hostname. */
export const fleetEvent: Shape<FleetEvent> = object({
  version: only(1, 'Version of the event format'),
  id: text('Id of the event; repeated deliveries have the same id'),
  type: oneOf(['appeared', 'changed', 'gone'], 'Kind of change'),
  at: text("When the change was detected (RFC 3339, the platform's clock)"),
  zoneId: text('Id of the zone'),
  hostname: text('The hostname'),
  hostnameId: text('Id of the custom hostname'),
  before: optional(fleetState),
  after: optional(fleetState),
});
