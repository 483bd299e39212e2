import type { CustomHostname } from '../../../../src/model/hostnames/hostname.ts';
import { type Stage, target } from '../../hostnames/stage.ts';

export type Entry = readonly [string, string, ...string[]];

export type Step = (stage: Stage, host: string, domain: string) => Promise<unknown>;

/** A way to cause a finding in the sandbox, over real DNS, HTTP and TLS. */
export interface Scene {
  readonly id: string;
  /** Returns the hostname, which is below the scene's own domain (default: `shop`). */
  readonly host?: (domain: string) => string;
  /** Flags for the creation of the hostname; undefined if no hostname is created. */
  readonly create?: readonly string[];
  /** The body with which another client of the API creates the hostname; the hostname is added to the body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Returns the customer's DNS records for the hostname and domain. */
  readonly dns?: (host: string, domain: string) => readonly Entry[];
  /** Additional preparation before the creation. */
  readonly before?: Step;
  /** Other findings that occur in the same scene, and are remedied as well. */
  readonly also?: readonly string[];
  /** Changes that happen ten minutes after the creation. */
  readonly after?: Step;
  /** Changes that happen immediately before the diagnosis. */
  readonly last?: Step;
  /** Carries out the part of a remedy that only its text describes, not a record or command. */
  readonly mend?: Step;
  /** Returns the hostname to diagnose, if it is not the created hostname. */
  readonly asked?: (host: string) => string;
  /** The hostname that replaces the created hostname after the remedy. */
  readonly becomes?: string;
  /** Whether the finding is good news or information, and remains after the remedy. */
  readonly stays?: boolean;
}

export const here = (host: string): readonly Entry[] => [[host, 'CNAME', target]];
export const away = (host: string): Entry => [host, 'CNAME', 'shop.elsewhere.com'];
export const wildcard = ['--wildcard', '--method', 'txt'];

/** Sets records that the platform notices only at its next check. */
export function setLater(stage: Stage, ...entries: readonly Entry[]): Promise<unknown> {
  const json = entries.map(([name, type, ...contents]) => ({ name, type, contents }));
  return stage.api('PUT', '/sandbox/dns?notice=later', json);
}

async function tokens(stage: Stage, host: string): Promise<readonly string[]> {
  const records = (await stage.record(host)).ssl?.validation_records ?? [];
  return records.flatMap((record) => record.txt_value ?? []);
}

export async function ownershipEntry(stage: Stage, host: string): Promise<Entry> {
  const { value = '' } = (await stage.record(host)).ownership_verification ?? {};
  return [`_cf-custom-hostname.${host}`, 'TXT', value];
}

export async function challengeEntry(stage: Stage, host: string): Promise<Entry> {
  return [`_acme-challenge.${host}`, 'TXT', ...(await tokens(stage, host))];
}

export async function delegationEntry(stage: Stage, host: string): Promise<Entry> {
  const [record] = (await stage.record(host)).ssl?.dcv_delegation_records ?? [];
  return [record?.cname ?? '', 'CNAME', record?.cname_target ?? ''];
}

/** Sets TXT records with the ownership token at a name. */
export const owned =
  (nameOf: (host: string, domain: string) => string, textOf: (token: string) => string): Step =>
  async (stage, host, domain) => {
    const [, , token] = await ownershipEntry(stage, host);
    return stage.dns([nameOf(host, domain), 'TXT', textOf(token ?? '')]);
  };

/** Sets TXT records with the certificate's tokens at a name. */
export const proved =
  (nameOf: (host: string, domain: string) => string, textOf: (token: string) => string): Step =>
  async (stage, host, domain) =>
    stage.dns([nameOf(host, domain), 'TXT', ...(await tokens(stage, host)).map(textOf)]);

export const delegate: Step = async (stage, host) => stage.dns(await delegationEntry(stage, host));

/** Proves ownership and control with TXT records, before the change of DNS. */
export const provedInAdvance: Step = async (stage, host) =>
  stage.dns(await ownershipEntry(stage, host), await challengeEntry(stage, host));

export const unset =
  (...types: readonly string[]): Step =>
  async (stage, host) => {
    for (const type of types) await stage.api('DELETE', `/sandbox/dns?name=${host}&type=${type}`);
  };

/** Returns a scene in which a third party makes a decision about the hostname; the remedy reverses the decision. */
export function decided(id: string, decision: object, more: Partial<Scene> = {}): Scene {
  return {
    id,
    create: [],
    dns: here,
    before: (stage, host) => stage.api('PUT', '/sandbox/interventions', { hostname: host, ...decision }),
    ...more,
  };
}

export const undecided: Step = (stage, host) =>
  stage.api('DELETE', `/sandbox/interventions?hostname=${host}`);

/** Creates the customer's own zone on the platform, with a proxied record for the hostname. */
export const zoneOfTheirs =
  (type: string, content: string): Step =>
  async (stage, host, domain) => {
    const { id } = await stage.api<{ id: string }>('POST', '/zones', { name: domain });
    await stage.api('POST', `/zones/${id}/dns_records`, { type, name: host, content, proxied: true });
  };

/** Deletes the proxied record in the customer's zone. */
export const withoutTheirRecord: Step = async (stage, host, domain) => {
  const [zone] = await stage.api<{ id: string }[]>('GET', `/zones?name=${domain}`);
  const records = await stage.api<{ id: string }[]>('GET', `/zones/${zone?.id}/dns_records?name=${host}`);
  for (const { id } of records) await stage.api('DELETE', `/zones/${zone?.id}/dns_records/${id}`);
};

/** Returns true if the hostname and its certificate are active. */
export function isActive({ status, ssl }: CustomHostname): boolean {
  return status === 'active' && ssl?.status === 'active';
}
