import { randomBytes } from 'node:crypto';
import { known, noFacts } from '../../../../src/model/diagnosis/facts.ts';
import type { CustomHostname } from '../../../../src/model/hostnames/hostname.ts';
import { makeCertificate } from '../../../../src/sandbox/hostnames/certificates.ts';
import { type Stage, target } from '../../hostnames/stage.ts';
import { decided, here, type Scene, type Step, undecided } from './scene.ts';

/** Returns the `ssl` of an upload: the customer's own certificate, from a public authority. */
export async function uploadOf(stage: Stage, hostname: string, seconds = 86_400): Promise<object> {
  const { platform } = stage.sandbox;
  const { now } = await stage.api<{ now: string }>('GET', '/sandbox/clock');
  const since = Date.parse(now);
  const wanted = { hostname, wildcard: false, branding: false, authority: 'google' } as const;
  const { keyed } = await makeCertificate(platform.registry().settings, randomBytes, {
    ...wanted,
    since,
    expiresAt: since + seconds * 1000,
  });
  return { custom_certificate: keyed.certificate, custom_key: keyed.privateKey };
}

/** Replaces the existing certificate with the customer's own certificate. */
async function upload(stage: Stage, host: string, seconds?: number): Promise<void> {
  const { id } = await stage.record(host);
  await stage.zone('PATCH', `/custom_hostnames/${id}`, { ssl: await uploadOf(stage, host, seconds) });
}

const remove: Step = (stage, host) => stage.edgectl('hostname', 'delete', host, '--yes');

/** Makes the edge keep an expiring certificate while the replacement is being deployed. */
const leftBehind: Step = async (stage, host) => {
  await upload(stage, host, 120);
  await stage.api('PUT', '/sandbox/interventions', { hostname: host, behind: true });
  await upload(stage, host);
};

const ownName = 'saas.sandbox';
const below = `b6.${ownName}`;

/**
 * Creates a custom hostname that is equal to the zone's name. Only another platform can have such a hostname: the sandbox refuses to create
 * it.
 */
const zoneItself: Step = async (stage) => {
  const { now } = await stage.api<{ now: string }>('GET', '/sandbox/clock');
  const record: CustomHostname = {
    id: '023e105f-4ecf-8ad9-ca31-a8372d0c3530',
    hostname: ownName,
    status: 'active',
    created_at: now,
  };
  const zone = known({ id: stage.zoneId, name: ownName });
  await stage.api('POST', '/sandbox/world', [
    { ...noFacts(ownName, Date.parse(now)), zone, record: known(record) },
  ]);
};

/** Scenes in which the platform itself changes a hostname and its certificate. */
export const platformScenes: readonly Scene[] = [
  decided('A1', { shows: { status: 'reticulating' } }, { mend: undecided }),
  decided('A2', { lingers: 200 }, { after: remove }),
  decided('A3', { lingers: 400 }, { after: remove }),
  {
    id: 'B6',
    host: () => ownName,
    last: zoneItself,
    mend: async (stage) => {
      await stage.edgectl('zone', 'record', 'set', below, 'CNAME', target, '--proxied');
      await stage.edgectl('hostname', 'create', below);
    },
    becomes: below,
  },
  decided('F27', { staged: true }, { after: (stage, host) => upload(stage, host), mend: undecided }),
  { id: 'G6', create: [], dns: here, after: leftBehind, mend: undecided },
];
