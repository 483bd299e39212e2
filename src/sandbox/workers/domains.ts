import type { Platform } from '../http/exchange.ts';

/** A hostname at which a worker is the origin. */
export interface WorkerDomain {
  readonly id: string;
  readonly hostname: string;
  readonly service: string;
  readonly zoneId: string;
  readonly certificateId: string;
  /** The DNS record that was made for it. */
  readonly recordId: string;
}

const setting = 'worker_domains';

/** The custom domains of all workers, in the order of their making. */
export function workerDomainsOf(platform: Platform): readonly WorkerDomain[] {
  return listOf(platform.registry().settings.read(setting));
}

function listOf(value: unknown): readonly WorkerDomain[] {
  return (value ?? []) as readonly WorkerDomain[];
}

/** Replaces the domain with the same id; undefined deletes it. */
export function putWorkerDomain(platform: Platform, id: string, domain: WorkerDomain | undefined): void {
  change(platform, (all) => [
    ...all.filter((one) => one.id !== id),
    ...(domain === undefined ? [] : [domain]),
  ]);
}

/** Deletes the domains of a deleted zone, and its DNS records. */
export function forgetDomainsIn(platform: Platform, zoneId: string): void {
  change(platform, (all) => all.filter((domain) => domain.zoneId !== zoneId));
}

function change(platform: Platform, work: (all: readonly WorkerDomain[]) => readonly WorkerDomain[]): void {
  platform.registry().settings.change(setting, (value) => {
    const all = work(listOf(value));
    return all.length === 0 ? undefined : all;
  });
}
