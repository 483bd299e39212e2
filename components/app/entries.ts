import type { Account } from '../../src/services/session/account.ts';
import { type ListedProfile, profileWords } from '../../src/services/session/profiles.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { ZoneMenu } from '../../src/services/zones/choice.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { FinderEntry } from '../palette/Finder.tsx';
import type { Opening } from './state.ts';

/** The choices read so far. A part that could not be read is a sentence. */
export interface ActingState {
  readonly profiles?: readonly ListedProfile[] | string;
  readonly accounts?:
    | { readonly accounts: readonly Account[]; readonly present?: string | undefined }
    | string;
  readonly zones?: (ZoneMenu & { readonly present?: string | undefined }) | string;
}

/** The present profile, account and zone. */
export interface Present {
  /** The name of the present profile: `whereName`. */
  readonly name: string;
  /** The name of the profile that the console was opened with. */
  readonly first: string;
  readonly choice: SessionChoice;
}

/** A profile, account or zone to choose. */
export interface ActingEntry extends FinderEntry {
  readonly opens: Opening;
}

const here = 'you are here';

/** Returns all choices: profiles first, then accounts, then zones. Another profile has its own account and zone. */
export function actingEntries(state: ActingState, present: Present): readonly ActingEntry[] {
  return [
    ...profileEntries(state, present),
    ...accountEntries(state, present),
    ...zoneEntries(state, present),
  ];
}

/** Returns sentences about what could not be read. */
export function actingFaults({ profiles, accounts, zones }: ActingState): readonly string[] {
  return [profiles, accounts, zones].filter((part) => typeof part === 'string');
}

function profileEntries({ profiles }: ActingState, { name, first, choice }: Present): ActingEntry[] {
  if (profiles === undefined || typeof profiles === 'string') return [];
  const opened = { name: first, about: 'as the console was opened' };
  const kept = profiles.map((one) => ({ name: one.name, about: profileWords(one) }));
  const rows = first === 'environment' ? [opened, ...kept] : kept;
  const { target } = choice;
  return rows.map((one) => ({
    mark: 'profile',
    text: one.name,
    about: one.about,
    ...(one.name === name && choice.accountId === undefined && { refusal: here }),
    opens: {
      choice: {
        target: target === 'preview' ? target : 'production',
        ...(one.name !== first && { profile: one.name }),
      },
      words: `profile ${escapeText(one.name)}`,
    },
  }));
}

function accountEntries({ accounts }: ActingState, { choice }: Present): ActingEntry[] {
  if (accounts === undefined || typeof accounts === 'string') return [];
  return accounts.accounts.map(({ id, name }) => ({
    mark: 'account',
    text: name,
    about: id,
    ...(id === accounts.present && { refusal: here }),
    opens: {
      choice: { target: choice.target, profile: choice.profile, accountId: id },
      words: `account ${escapeText(name)}`,
    },
  }));
}

function zoneEntries({ zones }: ActingState, { choice }: Present): ActingEntry[] {
  if (zones === undefined || typeof zones === 'string') return [];
  return zones.zones.map(({ id, name }) => ({
    mark: 'zone',
    text: name,
    about: id,
    ...(id === zones.present && { refusal: here }),
    opens: {
      choice: { ...choice, zoneId: id },
      words: `zone ${escapeText(name)}`,
      area: { pane: 'hostnames' },
    },
  }));
}
