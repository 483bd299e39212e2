import {
  type AuthorityChoice,
  type CustomHostname,
  hasCustomCertificate,
} from '../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { ChangedHostname } from '../../src/services/console/hostname-changes.ts';
import type { HostnameService } from '../../src/services/console/hostnames.ts';
import type { NewHostname } from '../../src/services/hostnames/body.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Change } from '../kit/changes.ts';
import { type Busy, deleting, saving } from '../kit/keys/busy.ts';
import { keptWords } from '../kit/undo-words.ts';
import type { ChoiceItem } from '../ui/forms/Choice.tsx';
import type { Question } from '../ui/forms/Confirm.tsx';
import type { HostnameEdit } from './edit-form.ts';

/** Commands to the service about one custom hostname. */
export type HostnameCommand =
  | { readonly does: 'create'; readonly wanted: NewHostname }
  | { readonly does: 'refresh'; readonly record: CustomHostname }
  | { readonly does: 'authority'; readonly record: CustomHostname; readonly authority: AuthorityChoice }
  | { readonly does: 'edit'; readonly record: CustomHostname; readonly edit: HostnameEdit }
  | { readonly does: 'remove'; readonly record: CustomHostname };

/** The result of a command about a hostname. */
export interface Done {
  readonly change: HostnameChanged;
  /** In words, escaped. */
  readonly notice?: string;
}

type HostnameChanged = Extract<Change, { readonly changed: 'hostname' }>;

/** Words for the header while a command runs. */
export const busyWith: Readonly<Record<HostnameCommand['does'], Busy>> = {
  create: saving,
  refresh: saving,
  authority: saving,
  edit: saving,
  remove: deleting,
};

/** Carries out a command. Refuses as the service does. */
export async function carryOutCommand(
  command: HostnameCommand,
  zone: Zone,
  service: HostnameService,
  signal: AbortSignal,
): Promise<Done> {
  const told = ({ row, kept }: ChangedHostname, notice: string): Done => ({
    change: changeOf(zone, row),
    notice: `${notice}${keptWords(kept)}`,
  });
  if (command.does === 'create') {
    const row = await service.create(zone.id, command.wanted, signal);
    return told({ row, kept: false }, `Created ${escapeText(row.record.hostname)}.`);
  }
  const { record } = command;
  const name = escapeText(record.hostname);
  switch (command.does) {
    case 'refresh':
      return told(await service.refresh(zone.id, record, signal), `Restarted the validation of ${name}.`);
    case 'authority': {
      const { authority } = command;
      const changed = await service.edit(zone.id, record, { authority }, signal);
      return told(changed, `Changed the authority of ${name} to ${command.authority}.`);
    }
    case 'edit':
      return told(await service.edit(zone.id, record, command.edit, signal), `Changed ${name}.`);
    case 'remove':
      return {
        notice: (await service.remove(zone.id, record, signal))
          ? `Deleted ${name}. U makes it anew.`
          : `Deleted ${name}.`,
        change: goneChange(zone, record.id),
      };
  }
}

/** A hostname as it now is, for those who show it. */
export function changeOf({ id: zoneId }: Zone, row: HostnameRow): HostnameChanged {
  return { changed: 'hostname', zoneId, id: row.record.id, row };
}

/** A hostname that is gone. */
export function goneChange({ id: zoneId }: Zone, id: string): HostnameChanged {
  return { changed: 'hostname', zoneId, id, row: undefined };
}

/** Asks before validation is restarted: the platform checks anew, and a check that fails takes the hostname out of Active. */
export function restartDialog(record: CustomHostname, zone: Zone, hidden = 0) {
  const question: Question = {
    question: `Restart the validation of ${escapeText(record.hostname)}?`,
    lost: [
      `Zone: ${escapeText(zone.name)}.`,
      ...unseenLines(hidden),
      'The platform checks ownership and certificate anew.',
    ],
    yes: 'restart it',
  };
  return { kind: 'confirm', question, command: { does: 'refresh', record } } as const;
}

interface RemoveManner {
  /** Whether the journal will have its settings. */
  readonly keeps: boolean;
  /** Whether it is marked and not shown in the list: 1. */
  readonly hidden?: number;
}

/** Asks before a custom hostname is deleted. */
export function removeDialog(record: CustomHostname, zone: Zone, manner: RemoveManner) {
  const question = removeQuestion(record, zone, manner);
  return { kind: 'confirm', question, command: { does: 'remove', record } } as const;
}

function unseenLines(hidden: number): string[] {
  return hidden === 0 ? [] : ['It is marked, and not shown in the list.'];
}

function removeQuestion(
  { hostname, ssl }: CustomHostname,
  zone: Zone,
  { keeps, hidden = 0 }: RemoveManner,
): Question {
  const fate = keeps ? 'U makes it anew with its settings.' : 'There is no undo.';
  return {
    question: `Delete the custom hostname ${escapeText(hostname)}?`,
    lost: [
      `Zone: ${escapeText(zone.name)}.`,
      ...unseenLines(hidden),
      ssl === undefined
        ? `Requests for it are no longer answered. ${fate}`
        : `Its certificate and its tokens are lost, and requests for it are no longer answered. ${fate}`,
    ],
    yes: 'delete it',
  };
}

/** The authorities of a menu. */
export const authorities: readonly ChoiceItem<AuthorityChoice>[] = [
  { label: 'default: google, or lets_encrypt where CAA forbids google', value: 'default' },
  { label: 'google', value: 'google' },
  { label: 'lets_encrypt', value: 'lets_encrypt' },
  { label: 'ssl_com', value: 'ssl_com' },
];

/** Why no authority can be chosen for a hostname, or undefined. */
export function authorityFault(record: CustomHostname): string | undefined {
  if (!hasCustomCertificate(record)) return undefined;
  return `${escapeText(record.hostname)} has an uploaded certificate, which no authority of the platform renews.`;
}
