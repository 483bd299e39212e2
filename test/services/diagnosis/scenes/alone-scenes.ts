import { uploadForm } from '../../../sandbox/workers/test-sandbox.ts';
import { origin, type Stage, target } from '../../hostnames/stage.ts';
import { uploadOf } from './platform-scenes.ts';
import { challengeEntry, ownershipEntry, provedInAdvance, setLater, wildcard } from './scene.ts';

export const shop = 'shop.acme.com';

/** A way to cause a finding about `shop.acme.com` in a scene that needs its own zone, or takes days. */
export interface AloneScene {
  readonly id: string;
  readonly bring: (stage: Stage) => Promise<unknown>;
  /** Carries out the part of a remedy that only its text describes, not a record or command. */
  readonly mend?: (stage: Stage) => Promise<unknown>;
}

const day = 24 * 60 * 60;

const here = (stage: Stage) => stage.dns([shop, 'CNAME', target]);

const create = (stage: Stage, ...flags: readonly string[]) =>
  stage.edgectl('hostname', 'create', shop, ...flags);

async function inService(stage: Stage): Promise<void> {
  await here(stage);
  await create(stage);
  await stage.advance(600);
}

/** Activates the hostname with TXT records before the DNS change, and then removes the certificate's TXT record. */
async function provedOnce(stage: Stage): Promise<void> {
  await stage.dns([shop, 'A', '198.51.100.7']);
  await create(stage, '--method', 'txt');
  await stage.advance(60);
  await provedInAdvance(stage, shop, 'acme.com');
  await stage.advance(600);
  await stage.forget(`_acme-challenge.${shop}`);
}

const setFallback = (stage: Stage) => stage.zone('PUT', '/custom_hostnames/fallback_origin', { origin });

/** Creates the same hostname in another zone, which validates it with a token after our zone has done so. */
async function rivalWins(stage: Stage): Promise<void> {
  await stage.dns([shop, 'A', '198.51.100.7']);
  await create(stage);
  const [name, type, token] = await ownershipEntry(stage, shop);
  await stage.dns([name, type, token ?? '']);
  const zone = await stage.api<{ id: string }>('POST', '/zones', { name: 'rival.net' });
  const below = `/zones/${zone.id}`;
  const record = { type: 'A', name: 'origin.rival.net', content: '192.0.2.9', proxied: true };
  await stage.api('POST', `${below}/dns_records`, record);
  await stage.api('PUT', `${below}/custom_hostnames/fallback_origin`, { origin: record.name });
  await stage.advance(60);
  const body = { hostname: shop, ssl: { method: 'http', type: 'dv' } };
  const rival = await stage.api<{ id: string; ownership_verification: { value: string } }>(
    'POST',
    `${below}/custom_hostnames`,
    body,
  );
  await stage.dns([name, type, token ?? '', rival.ownership_verification.value]);
  await stage.advance(600);
  await stage.edgectl('hostname', 'list');
  await stage.edgectl('hostname', 'refresh', shop);
  await stage.advance(60);
  await stage.api('PATCH', `${below}/custom_hostnames/${rival.id}`, { ssl: body.ssl });
  await stage.advance(600);
  await stage.forget(shop);
  await setLater(stage, [shop, 'CNAME', target]);
}

async function removeRival(stage: Stage): Promise<void> {
  const [zone] = await stage.api<{ id: string }[]>('GET', '/zones?name=rival.net');
  const below = `/zones/${zone?.id}/custom_hostnames`;
  const [rival] = await stage.api<{ id: string }[]>('GET', `${below}?hostname=${shop}`);
  await stage.api('DELETE', `${below}/${rival?.id}`);
}

async function sixteenInAMinute(stage: Stage): Promise<void> {
  await here(stage);
  const ssl = { method: 'http', type: 'dv' };
  for (let number = 1; number <= 15; number += 1)
    await stage.zone('POST', '/custom_hostnames', { hostname: `shop${number}.acme.com`, ssl });
  await create(stage);
}

async function withoutOriginRecord(stage: Stage): Promise<void> {
  await inService(stage);
  await stage.edgectl('zone', 'record', 'delete', origin, 'A', '--yes');
}

async function withoutFallback(stage: Stage): Promise<void> {
  await here(stage);
  await stage.zone('DELETE', '/custom_hostnames/fallback_origin');
  await create(stage);
  await stage.advance(600);
}

async function waitingForTexts(stage: Stage, days: number): Promise<void> {
  await here(stage);
  await create(stage, ...wildcard);
  await stage.advance(days * day);
}

/** Deploys a worker that answers 500, with a route for all hostnames. */
async function shadowedByWorker(stage: Stage): Promise<void> {
  await inService(stage);
  const { ready } = stage;
  const { body, contentType } = uploadForm({
    'index.js': 'export default { fetch: () => new Response("broken", { status: 500 }) };',
  });
  const answer = await fetch(`${ready?.apiBaseUrl}/accounts/${ready?.accountId}/workers/scripts/shadow`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ready?.apiToken}`, 'content-type': contentType },
    body,
  });
  if (!answer.ok) throw new Error(await answer.text());
  await stage.zone('POST', '/workers/routes', { pattern: '*/*', script: 'shadow' });
}

const setZone = (stage: Stage, status: string) =>
  stage.api('PUT', '/sandbox/zone-states', { zone: 'saas.sandbox', status });

const dead = ['dead1.acme.com', 'dead2.acme.com'];

export const aloneScenes: readonly AloneScene[] = [
  {
    id: 'A6',
    bring: rivalWins,
    mend: removeRival,
  },
  {
    id: 'A7',
    bring: async (stage) => {
      await create(stage);
      await stage.advance(8 * day);
    },
    mend: here,
  },
  { id: 'B1', bring: withoutFallback },
  {
    id: 'B2',
    bring: async (stage) => {
      await inService(stage);
      await setFallback(stage);
    },
  },
  {
    id: 'B3',
    bring: async (stage) => {
      await inService(stage);
      await stage.api('PUT', '/sandbox/interventions', { hostname: origin, undeployable: true });
      await setFallback(stage);
    },
    mend: (stage) => stage.api('DELETE', `/sandbox/interventions?hostname=${origin}`),
  },
  { id: 'B4', bring: withoutOriginRecord },
  {
    id: 'B7',
    bring: async (stage) => {
      await here(stage);
      for (const name of dead) await stage.edgectl('hostname', 'create', name);
      await stage.api('PUT', '/sandbox/quota', { allocated: 2, hard_cap: 2 });
      await create(stage);
    },
    mend: async (stage) => {
      for (const name of dead) await stage.edgectl('hostname', 'delete', name, '--yes');
    },
  },
  { id: 'B8', bring: sixteenInAMinute, mend: (stage) => stage.advance(31) },
  {
    id: 'B9',
    bring: async (stage) => {
      await inService(stage);
      await stage.zone('PATCH', '', { paused: true });
    },
    mend: (stage) => stage.zone('PATCH', '', { paused: false }),
  },
  {
    id: 'C22',
    bring: async (stage) => {
      await inService(stage);
      await setFallback(stage);
    },
  },
  {
    id: 'D2',
    bring: async (stage) => {
      await create(stage);
      await stage.advance(5 * 60 * 60);
      await setLater(stage, [shop, 'CNAME', target]);
    },
  },
  {
    id: 'D7',
    bring: async (stage) => {
      await create(stage);
      await stage.advance(6 * day);
    },
    mend: (stage) => setLater(stage, [shop, 'CNAME', target]),
  },
  { id: 'F14', bring: (stage) => waitingForTexts(stage, 14.2) },
  { id: 'F15', bring: (stage) => waitingForTexts(stage, 15) },
  {
    id: 'F22',
    bring: async (stage) => {
      await here(stage);
      await create(stage);
      await stage.advance(3);
    },
  },
  {
    id: 'F23',
    bring: async (stage) => {
      await provedOnce(stage);
      await stage.advance(62 * day);
    },
  },
  {
    id: 'F39',
    bring: async (stage) => {
      await here(stage);
      await create(stage, ...wildcard);
      await stage.advance(60);
      await stage.dns(await challengeEntry(stage, shop));
      await stage.advance(600);
    },
  },
  {
    id: 'F24',
    bring: async (stage) => {
      await provedOnce(stage);
      await stage.advance(95 * day);
    },
  },
  {
    id: 'F25',
    bring: async (stage) => {
      await here(stage);
      await setZone(stage, 'moved');
      const ssl = await uploadOf(stage, shop);
      await stage.zone('POST', '/custom_hostnames', { hostname: shop, ssl });
      await stage.advance(600);
    },
    mend: (stage) => setZone(stage, 'active'),
  },
  { id: 'G2', bring: withoutFallback },
  {
    id: 'G14',
    bring: shadowedByWorker,
    mend: (stage) => stage.zone('POST', '/workers/routes', { pattern: `${shop}/*` }),
  },
];
