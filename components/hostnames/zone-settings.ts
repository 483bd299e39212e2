import { originRefusal } from '../../src/model/hostnames/fault.ts';
import type { ServedCount } from '../../src/model/hostnames/hostname.ts';
import { asProblem } from '../../src/model/problem.ts';
import type { Zone, ZoneHold } from '../../src/model/zones/zone.ts';
import type { FleetService, ZoneSettings } from '../../src/services/console/fleet.ts';
import { wireHostname } from '../../src/services/hostnames/body.ts';
import { describeServed } from '../../src/text/hostname.ts';
import { parseDuration } from '../../src/text/time.ts';
import type { Change } from '../kit/changes.ts';
import { reading, saving } from '../kit/keys/busy.ts';
import { requireService } from '../kit/require-service.ts';
import { undoHint } from '../kit/undo-notice.ts';
import type { PaneParts } from '../kit/use-console.ts';
import {
  type FormValues,
  formDialog,
  type MenuDialog,
  type PaneOutcome,
  type Submitted,
  type Work,
} from '../ui/forms/dialog.ts';
import { openForm } from '../ui/forms/form-state.ts';

/** A zone, and the service that changes the zone's settings for all hostnames. */
interface At {
  readonly zone: Zone;
  readonly fleet: FleetService;
}

/** Returns the work that reads a zone's fallback origin and hold, and opens a menu of actions on these settings. */
export function readingSettings(zone: Zone, parts: PaneParts): Work {
  const at = { zone, fleet: requireService(parts, 'fleet') };
  return {
    busy: reading,
    run: async (signal) => ({ dialog: settingsMenu(at, await at.fleet.readSettings(zone.id, signal)) }),
  };
}

function readName({ name }: Zone): string {
  return name;
}

function describeHold({ hold, includeSubdomains, holdAfter }: ZoneHold): string {
  if (hold) return `held${includeSubdomains ? ', with its subdomains' : ', without its subdomains'}`;
  return holdAfter === undefined ? 'not held' : `not held until ${new Date(holdAfter).toISOString()}`;
}

function settingsMenu(at: At, { fallback, hold }: ZoneSettings): MenuDialog<Work> {
  const present = fallback?.origin ?? '';
  const state = fallback?.status === undefined ? '' : ` (${fallback.status})`;
  return {
    kind: 'menu',
    title: `Zone ${readName(at.zone)}`,
    lines: [
      present === '' ? 'No fallback origin.' : `Fallback origin: ${present}${state}.`,
      `Hold: ${describeHold(hold)}.`,
    ],
    items: [
      item(
        present === '' ? 'set a fallback origin' : 'set another fallback origin',
        askingFallback(at, present),
      ),
      ...(present === '' ? [] : [item('remove the fallback origin', askingNoFallback(at, present))]),
      ...(hold.hold && !hold.includeSubdomains
        ? []
        : [item('hold the zone without its subdomains', holding(at, false))]),
      ...(hold.hold && hold.includeSubdomains
        ? []
        : [item('hold the zone with its subdomains', holding(at, true))]),
      ...(hold.hold ? releaseItems(at, hold) : []),
    ],
    initial: 0,
    asks: true,
  };
}

function releaseItems(at: At, { includeSubdomains }: ZoneHold) {
  return [
    item('release the hold', asking(releaseQuestion(at, false))),
    item('release the hold for a limited time', asking(pauseForm(at))),
    ...(includeSubdomains ? [item('release only the subdomains', asking(releaseQuestion(at, true)))] : []),
  ];
}

function item(label: string, command: Work) {
  return { label, command };
}

/** Returns work that opens a dialog without reading any data. */
function asking(dialog: PaneOutcome['dialog']): Work {
  return { busy: reading, run: async () => ({ dialog }) };
}

/** Describes the hostnames whose requests go to the fallback origin. */
function affected(served: ServedCount | undefined): string {
  return served === undefined
    ? 'every hostname without a custom origin'
    : `${describeServed(served)} without a custom origin`;
}

function askingFallback(at: At, present: string): Work {
  const { zone, fleet } = at;
  const note = 'A DNS name in the zone with a proxied A, AAAA or CNAME record.';
  const fields = [{ name: 'origin', label: 'Origin', value: present, note }];
  return {
    busy: reading,
    async run(signal) {
      const lines = [
        `Requests for ${affected(await fleet.countServed(zone.id, signal))} go to the fallback origin.`,
      ];
      const form = openForm(`Fallback origin of ${readName(zone)}`, fields, lines);
      return { dialog: formDialog(form, (values) => submitFallback(at, values)) };
    },
  };
}

function submitFallback(at: At, values: FormValues): Submitted {
  const origin = wireHostname((values['origin'] ?? '').trim());
  const refusal = origin === '' ? 'Enter an origin.' : originRefusal(origin)?.message;
  return refusal === undefined ? { work: movingFallback(at, origin) } : { errors: { origin: refusal } };
}

/** Returns the work that sets the fallback origin. Asks for confirmation before replacing another fallback origin. */
function movingFallback(at: At, origin: string): Work {
  const { zone, fleet } = at;
  const setting = settingFallback(at, origin);
  return {
    busy: saving,
    async run(signal) {
      const { fallback } = await fleet.readSettings(zone.id, signal);
      if (fallback === undefined || fallback.origin === origin) return setting.run(signal);
      const served = await fleet.countServed(zone.id, signal);
      if (served === undefined) return setting.run(signal);
      const question = {
        question: `Send requests for ${describeServed(served)} to ${origin}?`,
        lost: [`Zone: ${readName(zone)}.`, `Requests currently go to ${fallback.origin}.`],
        danger: 'undoable' as const,
        yes: 'change it',
      };
      return { dialog: { kind: 'confirm', question, command: setting } };
    },
  };
}

function askingNoFallback(at: At, present: string): Work {
  const { zone, fleet } = at;
  return {
    busy: reading,
    async run(signal) {
      const served = await fleet.countServed(zone.id, signal);
      const question = {
        question: `Remove the fallback origin ${present} of ${readName(zone)}?`,
        lost: [`Requests for ${affected(served)} will then fail with error 1016.`],
        danger: 'undoable' as const,
        yes: 'remove it',
      };
      return { dialog: { kind: 'confirm', question, command: settingFallback(at, undefined) } };
    },
  };
}

function settingFallback({ zone, fleet }: At, origin: string | undefined): Work {
  const done = origin === undefined ? 'Removed the fallback origin.' : `Set the fallback origin ${origin}.`;
  return {
    busy: saving,
    async run(signal) {
      const canUndo = (await fleet.setFallback(zone.id, origin, signal)) !== undefined;
      return { notice: `${done}${undoHint(canUndo)}`, change: toChange(zone) };
    },
  };
}

function holding({ zone, fleet }: At, subdomains: boolean): Work {
  return {
    busy: saving,
    run: async (signal) => heldOutcome(zone, await fleet.hold(zone.id, subdomains, signal)),
  };
}

function releasing({ zone, fleet }: At, how: Parameters<FleetService['release']>[1]): Work {
  return {
    busy: saving,
    run: async (signal) => heldOutcome(zone, await fleet.release(zone.id, how, signal)),
  };
}

function heldOutcome(zone: Zone, held: ZoneHold): PaneOutcome {
  return { notice: `${readName(zone)}: ${describeHold(held)}.`, change: toChange(zone) };
}

function toChange({ id }: Zone): Change {
  return { changed: 'zone', zoneId: id };
}

function releaseQuestion(at: At, subdomainsOnly: boolean): PaneOutcome['dialog'] {
  const question = {
    question: `Release the hold on ${subdomainsOnly ? 'the subdomains of ' : ''}${readName(at.zone)}?`,
    lost: ['Other accounts can then use names in the zone.'],
    danger: 'change' as const,
    yes: 'release it',
  };
  return { kind: 'confirm', question, command: releasing(at, { subdomainsOnly }) };
}

function pauseForm(at: At): PaneOutcome['dialog'] {
  const note = 'Seconds, or 90m, 24h, 7d. The hold is then restored automatically.';
  const form = openForm(
    `Release the hold on ${readName(at.zone)}`,
    [{ name: 'for', label: 'For', value: '24h', note }],
    ["Until the hold is restored, other accounts can use the zone's names."],
  );
  return formDialog({ ...form, submit: 'release', danger: 'change' }, (values): Submitted => {
    try {
      const seconds = parseDuration((values['for'] ?? '').trim());
      return { work: releasing(at, { subdomainsOnly: false, seconds }) };
    } catch (error) {
      return { errors: { for: asProblem(error).message } };
    }
  });
}
