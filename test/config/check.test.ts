import { describe, expect, test } from 'vitest';
import { checkConfig } from '../../src/config/check.ts';
import { sourceOf } from './folder.ts';

const full = `
name = "shop"
main = "src/index.ts"
compatibility_date = "2026-01-01"
account_id = "0123456789abcdef0123456789abcdef"
zone_id = ""
workers_dev = true

[vars]
MODE = "live"
NESTED = { a = [1, 2] }

[[kv_namespaces]]
binding = "CACHE"
id = "aaaa"
preview_id = "bbbb"

[[kv_namespaces]]
binding = "$later_1"
experimental = { anything = 1 }

[[objstore_buckets]]
binding = "FILES"
bucket_name = "files"

[[r2_buckets]]
binding = "MEDIA"
preview_bucket_name = "media-preview"
jurisdiction = "eu"

[env.staging]
name = "shop-next"
kv_namespaces = [{ binding = "CACHE", id = "cccc" }]

[env.empty]
`;

test('reads a complete configuration, and ignores names that only wrangler uses and unknown names', async () => {
  const config = checkConfig(await sourceOf(full));
  expect(config).toMatchObject({
    format: 'toml',
    fallback: false,
    name: 'shop',
    main: 'src/index.ts',
    compatibilityDate: '2026-01-01',
    accountId: '0123456789abcdef0123456789abcdef',
    kvNamespaces: [{ binding: 'CACHE', id: 'aaaa', previewId: 'bbbb' }, { binding: '$later_1' }],
    buckets: [
      { binding: 'FILES', bucketName: 'files' },
      { binding: 'MEDIA', previewBucketName: 'media-preview', jurisdiction: 'eu' },
    ],
    vars: { MODE: 'live', NESTED: { a: [1, 2] } },
  });
  expect(config).not.toHaveProperty('zoneId');
  expect(Object.fromEntries(config.environments)).toEqual({
    staging: { name: 'shop-next', kvNamespaces: [{ binding: 'CACHE', id: 'cccc' }], buckets: [], vars: {} },
    empty: { kvNamespaces: [], buckets: [], vars: {} },
  });
});

test('reads an empty file as an empty configuration', async () => {
  const config = checkConfig(await sourceOf(''));
  expect(config).toMatchObject({ kvNamespaces: [], buckets: [], vars: {} });
  expect(config.environments.size).toBe(0);
});

describe('refuses a wrong configuration with the position and the reason', () => {
  test.each([
    ['name = 5', ':1:8: name must be a quoted string, not number 5.'],
    ['kv_namespaces = "x"', ':1:17: kv_namespaces must be a list of tables, not the string "x".'],
    ['kv_namespaces = ["x"]', ':1:18: kv_namespaces[0] must be a table, not the string "x".'],
    ['kv_namespaces = [[1]]', ':1:18: kv_namespaces[0] must be a table, not an array.'],
    ['[[kv_namespaces]]\nid = "a"', ':1:1: kv_namespaces[0].binding is missing.'],
    [
      '[[kv_namespaces]]\nbinding = "A"\n[[kv_namespaces]]\nbinding = "B"\nid = 5',
      ':5:6: kv_namespaces[1].id must be a quoted string, not number 5.',
    ],
    [
      '[[r2_buckets]]\nbinding = "A"\nbucket_name = true',
      ':3:15: r2_buckets[0].bucket_name must be a quoted string',
    ],
    ['[env.x]\naccount_id = 1', ':2:14: env.x.account_id must be a quoted string, not number 1.'],
    ['env = "x"', ':1:7: env must be a table, not the string "x".'],
    ['env.x = 1', ':1:9: env.x must be a table, not number 1.'],
    ['vars = 1', ':1:8: vars must be a table, not number 1.'],
    ['compatibility_date = 2026-01-01', ':1:22: compatibility_date must be a quoted string'],
    [
      '[[kv_namespaces]]\nbinding = "my-kv"',
      ':2:11: kv_namespaces[0].binding is the string "my-kv": a binding must be a',
    ],
    [
      '[[kv_namespaces]]\nbinding = ""',
      ':2:11: kv_namespaces[0].binding is the string "": a binding must be a',
    ],
    ['[[kv_namespaces]]\nbinding = "class"', '"class" is a reserved word in JavaScript.'],
    [
      '[[kv_namespaces]]\nbinding = "A"\n[[objstore_buckets]]\nbinding = "A"\nbucket_name = "b"',
      ':4:11: objstore_buckets[0].binding: "A" is bound twice, first at line 2.',
    ],
    [
      '[vars]\nA = 1\n[[kv_namespaces]]\nbinding = "A"',
      ':4:11: kv_namespaces[0].binding: "A" is bound twice, first at line 2.',
    ],
    ['api_token = "x"', ':1:13: api_token is a credential, which a configuration file cannot contain.'],
    ['CLOUDFLARE_API_KEY = "x"', 'CLOUDFLARE_API_KEY is a credential'],
    ['email = "x"', ':1:9: email is a credential'],
    ['apiBaseUrl = "x"', ':1:14: apiBaseUrl is a platform address'],
    ['[env.x]\napi_base_url = "x"', ':2:16: env.x.api_base_url is a platform address'],
    [
      'pages_build_output_dir = "dist"',
      ':1:26: this is a static-site project (pages_build_output_dir), not a worker.',
    ],
  ])('refuses %j: %s', async (text, reason) => {
    const source = await sourceOf(text);
    expect(() => checkConfig(source)).toThrow(
      expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining(reason) }),
    );
  });

  test('refuses a wrong configuration in JSON', async () => {
    const source = await sourceOf(
      '{\n "env": {"x": {"kv_namespaces": [{"binding": "A", "id": null}]}}\n}',
      'jsonc',
    );
    expect(() => checkConfig(source)).toThrow(
      `${source.path}:2:57: env.x.kv_namespaces[0].id must be a quoted string, not null.`,
    );
    const list = await sourceOf('[1]', 'jsonc');
    expect(() => checkConfig(list)).toThrow(`${list.path}: the configuration must be a table, not an array.`);
  });

  test('shows no refused credential in an error', async () => {
    const source = await sourceOf('api_token = "s3cret"');
    expect(() => checkConfig(source)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
    );
  });
});
