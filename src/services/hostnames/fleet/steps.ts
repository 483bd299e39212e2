import {
  changesFor,
  type DefaultValues,
  describeDefaultAuthority,
  formatDifferences,
} from '../../../model/hostnames/fleet/differences.ts';
import type { FleetStep } from '../../../model/hostnames/fleet/plan.ts';
import { changeRefusal, type HostnameInput } from '../body.ts';
import type { SelectedHostname } from './select.ts';
import { type WrongLine, wrongLine } from './wanted.ts';

/** Returns the steps that delete these hostnames. */
export function deletingSteps(hostnames: readonly SelectedHostname[]): readonly FleetStep[] {
  return hostnames.map(({ record: { id, hostname, status } }) => {
    return { does: 'delete', hostname, record: { id }, reason: describeStatus(status) } as const;
  });
}

/** Returns the steps that restart the validation of these hostnames. */
export function restartingSteps(hostnames: readonly SelectedHostname[]): readonly FleetStep[] {
  return hostnames.map(({ record }) => {
    const { hostname, status, ssl } = record;
    // Also shows the certificate's status, because users often select hostnames by this status.
    const certificate = ssl?.status === undefined ? '' : `, certificate ${ssl.status}`;
    return { does: 'refresh', hostname, record, reason: `${describeStatus(status)}${certificate}` } as const;
  });
}

function describeStatus(status: string | undefined): string {
  return status === undefined ? 'status unknown' : `status ${status}`;
}

export interface ChangingSteps {
  /** The steps; hostnames that already have the desired values are skipped. */
  readonly steps: readonly FleetStep[];
  /** Hostnames whose change the platform would refuse, with the reasons. */
  readonly wrong: readonly WrongLine[];
}

/** Returns the steps that set the common attributes of these hostnames. The attributes in a hostname's line take precedence. */
export function changingSteps(
  hostnames: readonly SelectedHostname[],
  common: HostnameInput,
  defaults: DefaultValues = {},
): ChangingSteps {
  const wrong: WrongLine[] = [];
  const steps = hostnames.flatMap(({ record, line, asked }): readonly FleetStep[] => {
    const { hostname, id } = record;
    const all = { ...common, ...asked };
    const { differences } = changesFor(record, all);
    // The record shows neither branding nor whether the platform selected the authority.
    const isHidden = all.branding !== undefined || all.authority === 'default';
    const about = { hostname, ...(line !== undefined && { line }) };
    if (differences.length === 0 && !isHidden)
      return [{ does: 'leave', ...about, record: { id }, reason: 'already set' }];
    const refusal = changeRefusal(record, all);
    if (refusal !== undefined) {
      wrong.push(wrongLine(line, hostname, refusal));
      return [];
    }
    const parts = [
      formatDifferences(differences, defaults),
      all.authority === 'default' ? describeDefaultAuthority(record) : '',
    ].filter((part) => part !== '');
    const words = parts.length === 0 ? 'not visible in the record' : parts.join(', ');
    return [{ does: 'change', ...about, record, asks: present(all), differences, reason: words }];
  });
  return { steps, wrong };
}

/** Returns the input without undefined attributes. */
function present<T extends object>(input: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
