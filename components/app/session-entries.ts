import type { Account } from '../../src/services/session/account.ts';
import { describeProfile, type ListedProfile } from '../../src/services/session/profiles.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { ZoneMenu } from '../../src/services/zones/choice.ts';
import type { FinderEntry } from '../palette/finder-rows.ts';
import type { Opening } from './state.ts';

/** The choices read so far. For a part that could not be read, the value is a sentence that states the reason. */
export interface SessionChoices {
  readonly profiles?: readonly ListedProfile[] | string;
  readonly accounts?:
    | { readonly accounts: readonly Account[]; readonly present?: string | undefined }
    | string;
  readonly zones?: (ZoneMenu & { readonly present?: string | undefined }) | string;
}

/** The current profile, account and zone. */
export interface PresentSession {
  /** The name of the current profile, as returned by `formatPlaceName`. */
  readonly name: string;
  /** The name of the profile with which the console was opened. */
  readonly first: string;
  readonly choice: SessionChoice;
}

/** The headings, in display order. */
export const sessionGroups = ['Profiles', 'Accounts', 'Zones'] as const;

/** A profile, account or zone to choose. */
export interface SessionEntry extends FinderEntry {
  readonly group: (typeof sessionGroups)[number];
  readonly opens: Opening;
  readonly isPresent?: boolean;
}

/** The properties of the entry for the current profile, account or zone, which cannot be chosen again. */
const marked = { isPresent: true, where: 'you are here', effect: undefined } as const;

/** Returns all choices: profiles, accounts and zones, in this order. */
export function sessionEntries(state: SessionChoices, present: PresentSession): readonly SessionEntry[] {
  return [
    ...profileEntries(state, present),
    ...accountEntries(state, present),
    ...zoneEntries(state, present),
  ];
}

/** Returns a sentence for each part that could not be read. */
export function readFailures({ profiles, accounts, zones }: SessionChoices): readonly string[] {
  return [profiles, accounts, zones].filter((part) => typeof part === 'string');
}

function profileEntries(
  { profiles }: SessionChoices,
  { name, first, choice }: PresentSession,
): SessionEntry[] {
  if (profiles === undefined || typeof profiles === 'string') return [];
  const opened = { name: first, about: 'the credentials with which the console was opened' };
  const saved = profiles.map((one) => ({ name: one.name, about: describeProfile(one) }));
  const rows = first === 'environment' ? [opened, ...saved] : saved;
  const { target } = choice;
  return rows.map((one) => ({
    group: 'Profiles',
    kind: 'profile',
    effect: 'use the profile',
    name: one.name,
    about: one.about,
    ...(one.name === name && choice.accountId === undefined && marked),
    opens: {
      choice: {
        target: target === 'preview' ? target : 'production',
        ...(one.name !== first && { profile: one.name }),
      },
      words: `profile ${one.name}`,
    },
  }));
}

function accountEntries({ accounts }: SessionChoices, { choice }: PresentSession): SessionEntry[] {
  if (accounts === undefined || typeof accounts === 'string') return [];
  return accounts.accounts.map(({ id, name }) => ({
    group: 'Accounts',
    kind: 'account',
    effect: 'use the account',
    name,
    about: id,
    aboutLabel: 'id',
    ...(id === accounts.present && marked),
    opens: {
      choice: { target: choice.target, profile: choice.profile, accountId: id },
      words: `account ${name}`,
    },
  }));
}

function zoneEntries({ zones }: SessionChoices, { choice }: PresentSession): SessionEntry[] {
  if (zones === undefined || typeof zones === 'string') return [];
  return zones.zones.map(({ id, name }) => ({
    group: 'Zones',
    kind: 'zone',
    effect: 'use the zone',
    name,
    about: id,
    aboutLabel: 'id',
    ...(id === zones.present && marked),
    opens: {
      choice: { ...choice, zoneId: id },
      words: `zone ${name}`,
      area: { pane: 'hostnames' },
    },
  }));
}
