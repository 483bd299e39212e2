import type { Diagnosis } from '../../model/diagnosis/diagnose.ts';
import { type Fact, type Facts, known } from '../../model/diagnosis/facts.ts';
import type { NextStep } from '../../model/diagnosis/finding.ts';
import { attentionFrom } from '../../model/diagnosis/verdict.ts';
import type { Attention } from '../../model/hostnames/attention.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { createInstructions, type Instructions } from '../../model/instructions/instructions.ts';
import { keyNamed } from '../../model/instructions/link-key.ts';
import { type DnsProvider, dnsProviders } from '../../model/instructions/providers.ts';
import { type DnsTemplate, templateNamed } from '../../model/instructions/template.ts';
import { Problem } from '../../model/problem.ts';
import { nearest } from '../../text/nearest.ts';
import type { World } from '../../world.ts';
import { gatherFact } from '../diagnosis/fact.ts';
import { type DiagnosisOptions, diagnose } from '../diagnosis/many.ts';
import { diagnosisResolver } from '../diagnosis/resolver.ts';
import { connectionPlace } from '../diagnosis/server-place.ts';
import { readPlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { loadSettings } from '../session/settings.ts';
import { findDomainConnect } from './domain-connect.ts';
import { type LinkKey, openLinkKey } from './link-key.ts';

/** Returns the DNS provider with this id. For an unknown id, throws an error that lists the known ids. */
export function providerNamed(word: string): DnsProvider {
  const found = dnsProviders.find(({ id }) => id === word.toLowerCase());
  if (found !== undefined) return found;
  const near = nearProvider(word);
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  throw new Problem('usage', `"${word}" is not a known DNS provider.`, {
    hint: `${meant}Providers: ${dnsProviders.map(({ id }) => id).join(', ')}. Omit the flag to detect the provider by its name servers.`,
  });
}

/** Returns the id of the provider whose id or name is similar; undefined if there is none. */
function nearProvider(word: string): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const ids = new Map(
    dnsProviders.flatMap(({ id, label }) => [[plain(label), id] as const, [id, id] as const]),
  );
  const near = nearest(plain(word), [...ids.keys()]);
  return near === undefined ? undefined : ids.get(near);
}

/** The user's options for instructions. */
export interface InstructionOptions extends Pick<DiagnosisOptions, 'servers' | 'target'> {
  /** The customer's DNS provider (default: detected by its name servers). */
  readonly provider?: DnsProvider | undefined;
  /** The operator's Domain Connect template (default: the template in the settings, if any). */
  readonly template?: DnsTemplate | undefined;
  /** The key that signs the Domain Connect link (default: the key in the settings, if any). */
  readonly key?: LinkKey | undefined;
}

/** Instructions for one hostname, with results of its diagnosis. */
export interface InstructedHostname {
  readonly instructions: Instructions;
  /** Why the hostname needs attention; undefined if the hostname is active and has no known problem. */
  readonly attention: Attention | undefined;
  /** The advice of the diagnosis, if it is the next step in `attention`. */
  readonly remedy: NextStep | undefined;
  /** Why the edge could not be probed, if its requests timed out. */
  readonly edgeSilence: string | undefined;
}

interface InstructingOptions extends Pick<InstructionOptions, 'servers' | 'target' | 'provider'> {
  /** Whether to probe the edge (default: true). */
  readonly probe?: boolean;
}

/** Diagnoses a hostname, and determines the DNS records that the customer must set. */
export async function instructHostname(
  session: Session,
  zoneId: string,
  record: CustomHostname,
  { provider, probe = true, ...how }: InstructingOptions,
): Promise<InstructedHostname> {
  const nobody = { progress: () => undefined, warn: () => undefined };
  const asked = [{ hostname: record.hostname, record }];
  for await (const { facts, diagnosis } of diagnose(session, zoneId, asked, { ...how, probe }, nobody))
    return instruct(facts, diagnosis, provider);
  throw new Error('the diagnosis returned no result');
}

/** Creates the instructions from facts that were gathered earlier. */
export function instruct(facts: Facts, diagnosis: Diagnosis, provider?: DnsProvider): InstructedHostname {
  const attention = attentionFrom(facts, diagnosis);
  const remedy = diagnosis.headline?.remedy;
  return {
    instructions: createInstructions(facts, diagnosis, provider),
    attention,
    remedy: attention?.next === remedy?.text ? remedy : undefined,
    edgeSilence: facts.edgeSilence,
  };
}

/** Returns the instructions for one hostname, if possible with a link that lets the DNS provider set the records automatically. */
export async function readInstructions(
  session: Session,
  zoneId: string,
  record: CustomHostname,
  { template = templateSet(session.world), key, ...how }: InstructionOptions,
): Promise<Instructions> {
  const { instructions } = await instructHostname(session, zoneId, record, how);
  return withDomainConnect(session, instructions, how.servers, { template, key });
}

function templateSet(world: World): DnsTemplate | undefined {
  const { 'domain-connect': name } = loadSettings(world);
  return name === 'off' ? undefined : templateNamed(name);
}

/** Returns the key in the settings, or why it cannot be used; undefined if no key is set. */
async function keySet(world: World): Promise<Fact<LinkKey> | undefined> {
  const { 'domain-connect-key': name } = loadSettings(world);
  return name === 'off' ? undefined : gatherFact(() => openLinkKey(world, keyNamed(name)));
}

async function withDomainConnect(
  session: Session,
  instructions: Instructions,
  servers: readonly string[],
  { template, key }: Pick<InstructionOptions, 'template' | 'key'>,
): Promise<Instructions> {
  const { now, interrupted: signal } = session.world;
  const info = await readPlatformInfo(session);
  const access = {
    resolver: diagnosisResolver(session, info, servers),
    findPlace: (address: string) => connectionPlace(info, address, 443),
    anyCertificate: info.sandbox,
    now,
    signal,
  };
  const signing = key === undefined ? await keySet(session.world) : known(key);
  const domainConnect = await findDomainConnect(access, instructions, template, signing);
  signal.throwIfAborted();
  return domainConnect === undefined ? instructions : { ...instructions, domainConnect };
}
