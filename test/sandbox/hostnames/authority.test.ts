import { randomBytes, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate, trustedRoots } from '../../../src/sandbox/hostnames/certificates.ts';
import { openRegistry, type Registry } from '../../../src/store/registry.ts';
import { outside } from '../../store/scratch.ts';
import { scratchFolder } from '../../support/world.ts';

let registries: readonly Registry[];
beforeAll(() => {
  const folder = scratchFolder('authority');
  // The registries represent two processes that share one folder: `edgectl --sandbox` next to a served sandbox.
  registries = [openRegistry(folder, outside()), openRegistry(folder, outside())];
});
afterAll(() => {
  for (const registry of registries) registry.close();
});

const order = {
  hostname: 'shop.acme.com',
  wildcard: false,
  branding: false,
  authority: 'google',
  since: Date.UTC(2026, 10, 21),
} as const;

async function isTrusted({ settings }: Registry): Promise<boolean> {
  const { keyed } = await makeCertificate(settings, randomBytes, order);
  const root = new X509Certificate(trustedRoots(settings));
  return new X509Certificate(keyed.certificate).verify(root.publicKey);
}

test('two processes that create the authority simultaneously sign with the same authority', async () => {
  expect(await Promise.all(registries.map(isTrusted))).toEqual([true, true]);
});

test('a process that has signed certificates uses the authority that another process created after a reset', async () => {
  for (const registry of registries) {
    registry.settings.clear();
    expect(await isTrusted(registry)).toBe(true);
  }
  expect(await Promise.all(registries.map(isTrusted))).toEqual([true, true]);
});
