import { openOutputFile } from '../../files/output-file.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { type Instructions, instructionsOf } from '../../model/instructions/instructions.ts';
import { type DnsProvider, dnsProviders } from '../../model/instructions/providers.ts';
import { Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import { type DiagnosisOptions, diagnose } from '../diagnosis/many.ts';
import type { Session } from '../session/session.ts';

/** The provider that a word names. Refuses a word that names none, with those there are. */
export function providerNamed(word: string): DnsProvider {
  const found = dnsProviders.find(({ id }) => id === word.toLowerCase());
  if (found !== undefined) return found;
  throw new Problem('usage', `"${word}" is no DNS provider that edgectl knows.`, {
    hint: `It knows ${dnsProviders.map(({ id }) => id).join(', ')}. Left out, it is recognised by its name servers.`,
  });
}

/** Gathers what a customer has to enter for one hostname. */
export async function readInstructions(
  session: Session,
  zoneId: string,
  record: CustomHostname,
  options: Pick<DiagnosisOptions, 'servers' | 'target'> & { readonly provider?: DnsProvider | undefined },
): Promise<Instructions> {
  const { provider, ...how } = options;
  const nobody = { progress: () => undefined, warn: () => undefined };
  const asked = [{ hostname: record.hostname, record }];
  for await (const { facts, diagnosis } of diagnose(session, zoneId, asked, { ...how, probe: false }, nobody))
    return instructionsOf(facts, diagnosis, provider);
  throw new Error('a diagnosis without a result');
}

/** Writes instructions to a file below the working folder; an older one is replaced. Refuses what cannot be written to. */
export async function saveInstructions(world: World, name: string, text: string): Promise<void> {
  const file = await openOutputFile(world, {
    name,
    isPrivate: false,
    ofFolder: { hint: 'Move the folder of that name away.' },
  });
  const chunks = async function* (): AsyncGenerator<string> {
    yield text;
  };
  await file.write(chunks());
}
