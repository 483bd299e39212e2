import { expect, test } from 'vitest';
import { sdkTypes } from './sdk-types-file.ts';

test('SDK types distinguish required from optional, and null from absent', () => {
  const { routes, types } = sdkTypes();
  const zone = types['zones/zones.Zone'];
  expect(routes['GET /zones']?.body).toMatchObject({
    properties: { result: { type: 'array', items: { $ref: 'zones/zones.Zone' } } },
  });
  expect(zone?.required).toContain('name_servers');
  expect(zone?.required).not.toContain('permissions');
  expect(zone?.properties?.['status']).toEqual({ enum: ['active', 'initializing', 'moved', 'pending'] });
  expect(zone?.properties?.['activated_on']).toEqual({ anyOf: [{ type: 'null' }, { type: 'string' }] });
});
