import { expect, test } from 'vitest';
import { namespaceAddress } from '../../../../src/services/kv/bulk/bulk.ts';
import { stubPlatform } from '../../hostnames/platform.ts';

test('gives checkpoints of profiles called "local" with different addresses different keys', async () => {
  const at = async (baseUrl: string) => {
    const { session } = stubPlatform(() => undefined, { kind: 'remote', profile: 'local', baseUrl });
    return namespaceAddress({ ...session, label: 'profile local' }, 'n');
  };
  expect(await at('https://one.invalid/client/v4')).not.toBe(await at('https://two.invalid/client/v4'));
});

test('gives checkpoints of local data in different folders different keys', async () => {
  const at = async (folder: string) => {
    const { session } = stubPlatform(() => undefined, { kind: 'local', folder });
    return namespaceAddress({ ...session, label: `local data in ${folder}` }, 'n');
  };
  expect(await at('/one')).toBe(await at('/one'));
  expect(await at('/one')).not.toBe(await at('/two'));
});
