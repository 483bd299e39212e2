import { originRefusal } from '../../src/model/hostnames/fault.ts';
import type { ServedCount } from '../../src/model/hostnames/hostname.ts';
import { asProblem } from '../../src/model/problem.ts';
import type { Zone, ZoneHold } from '../../src/model/zones/zone.ts';
import type { FleetService, ZoneSettings } from '../../src/services/console/fleet.ts';
import { wireHostname } from '../../src/services/hostnames/body.ts';
import { escapeText } from '../../src/text/escape.ts';
import { servedWords } from '../../src/text/hostname.ts';
import { parseDuration } from '../../src/text/time.ts';
import type { Change } from '../kit/changes.ts';
import { keptWords } from '../kit/undo-words.ts';
import type { FormDialog, MenuDialog } from '../ui/forms/dialog.ts';
import { type Form, formValues, openForm } from '../ui/forms/form-state.ts';

/** Commands about the fallback origin of a zone and its hold. Those that begin with `ask` only ask. */
export type ZoneSettingsCommand =
  | { readonly does: 'read-settings' }
  | { readonly does: 'ask-fallback'; readonly present: string }
  | { readonly does: 'ask-no-fallback'; readonly present: string }
  | { readonly does: 'move-fallback'; readonly origin: string }
  | { readonly does: 'set-fallback'; readonly origin: string | undefined }
  | { readonly does: 'hold'; readonly subdomains: boolean }
  | { readonly does: 'ask-release'; readonly subdomainsOnly: boolean }
  | { readonly does: 'ask-pause' }
  | { readonly does: 'release'; readonly subdomainsOnly: boolean; readonly seconds?: number };

export type ZoneSettingsPurpose = 'fallback' | 'release';

interface Outcome {
  readonly dialog?:
    | MenuDialog<ZoneSettingsCommand>
    | FormDialog<ZoneSettingsPurpose, undefined>
    | {
        readonly kind: 'confirm';
        readonly question: {
          readonly question: string;
          readonly lost: readonly string[];
          readonly yes: string;
        };
        readonly command: ZoneSettingsCommand;
      };
  readonly notice?: string;
  readonly change?: Change;
}

/** Carries out such a command, or asks what comes before it. */
export async function carryOutSettings(
  command: ZoneSettingsCommand,
  zone: Zone,
  fleet: FleetService,
  signal: AbortSignal,
): Promise<Outcome> {
  const change: Change = { changed: 'zone', zoneId: zone.id };
  switch (command.does) {
    case 'read-settings':
      return { dialog: settingsMenu(zone, await fleet.readSettings(zone.id, signal)) };
    case 'ask-fallback':
      return { dialog: fallbackForm(zone, command.present, await fleet.countServed(zone.id, signal)) };
    case 'ask-no-fallback':
      return { dialog: noFallbackQuestion(zone, command.present, await fleet.countServed(zone.id, signal)) };
    case 'move-fallback': {
      const question = await moveQuestion(zone, command.origin, fleet, signal);
      if (question !== undefined) return { dialog: question };
      return carryOutSettings({ does: 'set-fallback', origin: command.origin }, zone, fleet, signal);
    }
    case 'set-fallback': {
      const kept = keptWords((await fleet.setFallback(zone.id, command.origin, signal)) !== undefined);
      const notice =
        command.origin === undefined
          ? `Removed the fallback origin.${kept}`
          : `Set the fallback origin ${escapeText(command.origin)}.${kept}`;
      return { notice, change };
    }
    case 'hold': {
      const held = await fleet.hold(zone.id, command.subdomains, signal);
      return { notice: `${nameOf(zone)}: ${holdWords(held)}.`, change };
    }
    case 'ask-release':
      return { dialog: releaseQuestion(zone, command.subdomainsOnly) };
    case 'ask-pause':
      return { dialog: pauseForm(zone) };
    case 'release': {
      const held = await fleet.release(zone.id, command, signal);
      return { notice: `${nameOf(zone)}: ${holdWords(held)}.`, change };
    }
  }
}

function nameOf({ name }: Zone): string {
  return escapeText(name);
}

function holdWords({ hold, includeSubdomains, holdAfter }: ZoneHold): string {
  if (hold) return `held${includeSubdomains ? ', with its subdomains' : ', its subdomains not'}`;
  return holdAfter === undefined ? 'not held' : `not held until ${new Date(holdAfter).toISOString()}`;
}

function settingsMenu(zone: Zone, { fallback, hold }: ZoneSettings): MenuDialog<ZoneSettingsCommand> {
  const present = fallback?.origin ?? '';
  const state = fallback?.status === undefined ? '' : ` (${fallback.status})`;
  const item = (label: string, command: ZoneSettingsCommand) => ({ label, command });
  return {
    kind: 'menu',
    title: `Zone ${nameOf(zone)}`,
    lines: [
      present === '' ? 'No fallback origin.' : `Fallback origin: ${escapeText(`${present}${state}`)}.`,
      `Hold: ${holdWords(hold)}.`,
    ],
    items: [
      item(present === '' ? 'set a fallback origin' : 'set another fallback origin', {
        does: 'ask-fallback',
        present,
      }),
      ...(present === ''
        ? []
        : [item('take the fallback origin away', { does: 'ask-no-fallback', present })]),
      ...(hold.hold && !hold.includeSubdomains
        ? []
        : [item('hold the zone, its subdomains not', { does: 'hold', subdomains: false })]),
      ...(hold.hold && hold.includeSubdomains
        ? []
        : [item('hold the zone with its subdomains', { does: 'hold', subdomains: true })]),
      ...(hold.hold ? releaseItems(hold) : []),
    ],
    initial: 0,
    asks: true,
  };
}

function releaseItems({ includeSubdomains }: ZoneHold) {
  const item = (label: string, command: ZoneSettingsCommand) => ({ label, command });
  return [
    item('release the hold', { does: 'ask-release', subdomainsOnly: false }),
    item('release the hold for a time', { does: 'ask-pause' }),
    ...(includeSubdomains
      ? [item('release the subdomains only', { does: 'ask-release', subdomainsOnly: true })]
      : []),
  ];
}

/** The question before requests of custom hostnames go to another origin. */
async function moveQuestion(zone: Zone, origin: string, fleet: FleetService, signal: AbortSignal) {
  const { fallback } = await fleet.readSettings(zone.id, signal);
  if (fallback === undefined || fallback.origin === origin) return undefined;
  const served = await fleet.countServed(zone.id, signal);
  if (served === undefined) return undefined;
  const question = {
    question: `Send the requests of ${servedWords(served)} to ${escapeText(origin)}?`,
    lost: [`Zone: ${nameOf(zone)}.`, `They go to ${escapeText(fallback.origin)} now.`],
    yes: 'send them there',
  };
  return { kind: 'confirm', question, command: { does: 'set-fallback', origin } } as const;
}

/** The hostnames whose requests go to the fallback origin, in words. */
function affected(served: ServedCount | undefined): string {
  return served === undefined
    ? 'every hostname without an origin of its own'
    : `${servedWords(served)} without their own origin`;
}

function fallbackForm(
  zone: Zone,
  present: string,
  served: ServedCount | undefined,
): FormDialog<ZoneSettingsPurpose, undefined> {
  const note = 'A name of the zone with a proxied A, AAAA or CNAME record.';
  const fields = [{ name: 'origin', label: 'Origin', value: present, note }];
  const lines = [`Requests for ${affected(served)} go there.`];
  const form = openForm(`Fallback origin of ${nameOf(zone)}`, fields, lines);
  return { kind: 'form', purpose: 'fallback', subject: undefined, form };
}

function noFallbackQuestion(zone: Zone, present: string, served: ServedCount | undefined) {
  const question = {
    question: `Take the fallback origin ${escapeText(present)} of ${nameOf(zone)} away?`,
    lost: [`Requests for ${affected(served)} then end in error 1016.`],
    yes: 'take it away',
  };
  return { kind: 'confirm', question, command: { does: 'set-fallback', origin: undefined } } as const;
}

function releaseQuestion(zone: Zone, subdomainsOnly: boolean) {
  const question = {
    question: `Release the hold ${subdomainsOnly ? 'over the subdomains ' : ''}of ${nameOf(zone)}?`,
    lost: ['Then others can use its names.'],
    yes: 'release it',
  };
  return { kind: 'confirm', question, command: { does: 'release', subdomainsOnly } } as const;
}

function pauseForm(zone: Zone): FormDialog<ZoneSettingsPurpose, undefined> {
  const note = 'Seconds, or 90m, 24h, 7d: then the hold comes back by itself.';
  const form = openForm(
    `Release the hold of ${nameOf(zone)}`,
    [{ name: 'for', label: 'For', value: '24h', note }],
    ['Until then others can use its names.'],
  );
  return {
    kind: 'form',
    purpose: 'release',
    subject: undefined,
    form: { ...form, submit: 'release', asks: true },
  };
}

/** Reads a filled form about a zone: a command, or the faults by the names of the fields. */
export function readSettingsForm(
  purpose: ZoneSettingsPurpose,
  form: Form,
): { readonly command: ZoneSettingsCommand } | { readonly errors: Readonly<Record<string, string>> } {
  const values = formValues(form);
  if (purpose === 'fallback') {
    const origin = wireHostname((values['origin'] ?? '').trim());
    const refusal = origin === '' ? 'Name an origin.' : originRefusal(origin)?.message;
    return refusal === undefined
      ? { command: { does: 'move-fallback', origin } }
      : { errors: { origin: refusal } };
  }
  try {
    const seconds = parseDuration((values['for'] ?? '').trim());
    return { command: { does: 'release', subdomainsOnly: false, seconds } };
  } catch (error) {
    return { errors: { for: asProblem(error).message } };
  }
}
