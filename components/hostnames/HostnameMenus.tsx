import {
  type AuthorityChoice,
  type CustomHostname,
  hostnameStatuses,
} from '../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { escapeText } from '../../src/text/escape.ts';
import { Menu } from '../forms/Menu.tsx';
import { authorities } from './commands.ts';

interface MenuEnds<T> {
  onChoose(value: T): void;
  onCancel(): void;
}

/** Chooses a hostname's certificate authority; the present one is marked. */
export function AuthorityMenu({ record, ...ends }: MenuEnds<AuthorityChoice> & { record: CustomHostname }) {
  const present = authorities.findIndex(({ value }) => value === record.ssl?.certificate_authority);
  const title = `Certificate authority of ${escapeText(record.hostname)}`;
  return <Menu title={title} items={authorities} initial={Math.max(0, present)} {...ends} />;
}

/** Chooses the status that hostnames are listed in; an empty text is any. */
export function StatusMenu({ present, ...ends }: MenuEnds<string> & { present: string }) {
  const items = [
    { label: 'any status', value: '' },
    ...hostnameStatuses.map((status) => ({ label: status, value: status })),
  ];
  const initial = items.findIndex(({ value }) => value === present);
  return <Menu title="List hostnames in" items={items} initial={Math.max(0, initial)} {...ends} />;
}

interface ZoneMenuProps extends MenuEnds<Zone> {
  readonly zones: readonly Zone[];
  readonly more: boolean;
}

/** Chooses the zone whose hostnames are listed. */
export function ZoneMenu({ zones, more, onChoose, onCancel }: ZoneMenuProps) {
  const title = more
    ? `Zone: the first ${zones.length}; the profile or zone_id in the configuration names any other`
    : 'Zone';
  const items = zones.map(({ id, name }) => ({ label: escapeText(name), value: id }));
  const choose = (id: string) => {
    const zone = zones.find((one) => one.id === id);
    if (zone !== undefined) onChoose(zone);
  };
  return <Menu title={title} items={items} initial={0} onChoose={choose} onCancel={onCancel} />;
}
