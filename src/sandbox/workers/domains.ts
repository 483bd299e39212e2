import type { Platform } from '../http/exchange.ts';

/** A hostname whose origin is a worker. */
export interface WorkerDomain {
  readonly id: string;
  readonly hostname: string;
  readonly service: string;
  readonly zoneId: string;
  readonly certificateId: string;
  /** The DNS record that was created for the domain. */
  readonly recordId: string;
}

const setting = 'worker_domains';

/** Returns the custom domains of all workers, in order of creation. */
export function readWorkerDomains(platform: Platform): readonly WorkerDomain[] {
  return toDomains(platform.registry().settings.read(setting));
}

function toDomains(value: unknown): readonly WorkerDomain[] {
  return (value ?? []) as readonly WorkerDomain[];
}

/** Replaces the domain with the same id, or adds a new domain; undefined deletes the domain. */
export function putWorkerDomain(platform: Platform, id: string, domain: WorkerDomain | undefined): void {
  change(platform, (all) => [
    ...all.filter((one) => one.id !== id),
    ...(domain === undefined ? [] : [domain]),
  ]);
}

/** Deletes the worker domains of a deleted zone. */
export function removeWorkerDomainsInZone(platform: Platform, zoneId: string): void {
  change(platform, (all) => all.filter((domain) => domain.zoneId !== zoneId));
}

function change(platform: Platform, work: (all: readonly WorkerDomain[]) => readonly WorkerDomain[]): void {
  platform.registry().settings.change(setting, (value) => {
    const all = work(toDomains(value));
    return all.length === 0 ? undefined : all;
  });
}
