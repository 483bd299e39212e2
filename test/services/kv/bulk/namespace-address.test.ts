import { expect, test } from 'vitest';
import { namespaceAddress } from '../../../../src/services/kv/bulk/bulk.ts';
import { stubPlatform } from '../../hostnames/platform.ts';

test('a profile called "local" goes on with a checkpoint at its own address only', async () => {
  const at = async (baseUrl: string) => {
    const { session } = stubPlatform(() => undefined, { kind: 'remote', profile: 'local', baseUrl });
    return namespaceAddress({ ...session, label: 'profile local' }, 'n');
  };
  expect(await at('https://one.invalid/client/v4')).not.toBe(await at('https://two.invalid/client/v4'));
});

test('local data of two folders are two places', async () => {
  const at = async (folder: string) => {
    const { session } = stubPlatform(() => undefined, { kind: 'local', folder });
    return namespaceAddress({ ...session, label: `local data in ${folder}` }, 'n');
  };
  expect(await at('/one')).toBe(await at('/one'));
  expect(await at('/one')).not.toBe(await at('/two'));
});
