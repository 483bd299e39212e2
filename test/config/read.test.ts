import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkConfig } from '../../src/config/check.ts';
import { readConfig } from '../../src/config/read.ts';
import { fileWith, folderWith } from './folder.ts';

describe('refuses an invalid configuration with line and column', () => {
  test.each([
    ['name = "a"\nname = "b"\n', 'toml', ':2:1: not TOML: '],
    ['name = \n', 'toml', ':1:8: not TOML: '],
    ['[a]\nx = [1,,2]\n', 'toml', ':2:8: not TOML: '],
    ['{\n  "name": "a"\n  "main": "b"\n}', 'jsonc', ':3:3: not JSON: comma expected.'],
    ['{"a": }', 'jsonc', ':1:7: not JSON: value expected.'],
    ['', 'jsonc', ':1:1: not JSON: value expected.'],
    ['{} {}', 'jsonc', ':1:4: not JSON: end of file expected.'],
  ] as const)('refuses the configuration %j (%s) at %s', async (text, format, place) => {
    const file = fileWith(text, format);
    await expect(readConfig(file)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(file.path + place),
    });
  });
});

test('accepts comments and trailing commas in JSON', async () => {
  const source = await readConfig(fileWith('// top\n{"a": [1, 2,], /* b */ "c": {"d": 1,},}', 'jsonc'));
  expect(source.data).toEqual({ a: [1, 2], c: { d: 1 } });
});

test.each([
  [
    'jsonc',
    '{"__proto__": {"name": "other", "account_id": "other", "env": {"x": {}}}, "a": [{"__proto__": 1}]}',
  ],
  ['toml', '[__proto__]\nname = "other"\naccount_id = "other"\n[__proto__.env.x]\n'],
] as const)('treats a key named __proto__ in %s like any other key', async (format, text) => {
  const source = await readConfig(fileWith(text, format));
  const data = source.data as Record<string, unknown>;
  expect(Object.getPrototypeOf(data) ?? Object.prototype).toBe(Object.prototype);
  expect(Object.keys(data)).toContain('__proto__');
  expect(data['name']).toBeUndefined();
  const config = checkConfig(source);
  expect(config.name).toBeUndefined();
  expect(config.accountId).toBeUndefined();
  expect(config.environments.size).toBe(0);
  expect(Object.hasOwn(Object.prototype, 'name')).toBe(false);
});

test.each(['toml', 'jsonc'] as const)('ignores a byte order mark in %s', async (format) => {
  const text = format === 'toml' ? 'name = "a"' : '{"name": "a"}';
  const source = await readConfig(fileWith(`\ufeff${text}`, format));
  expect(source).toMatchObject({ text, byteOrderMark: true });
  expect(source.data).toMatchObject({ name: 'a' });
});

test('explains that a file is not UTF-8, too long or unreadable', async () => {
  await expect(readConfig(fileWith(Uint8Array.of(0x61, 0xff)))).rejects.toThrow('is not UTF-8 text');
  await expect(readConfig(fileWith('#'.repeat(1024 * 1024 + 1)))).rejects.toThrow('longer than 1 MiB');
  const folder = folderWith();
  const file = { path: join(folder, 'gone.toml'), format: 'toml', fallback: false } as const;
  await expect(readConfig(file)).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('cannot be read: '),
  });
});

test('refuses nesting that would exhaust the stack', async () => {
  await expect(readConfig(fileWith('['.repeat(500_000), 'jsonc'))).rejects.toMatchObject({
    code: 'config-invalid',
  });
  await expect(readConfig(fileWith(`a = ${'['.repeat(500_000)}`))).rejects.toMatchObject({
    code: 'config-invalid',
  });
});

const toml = `# top
name = "x"

[vars]
a.b = 1

[[kv_namespaces]]
binding = "A" # first
[[kv_namespaces]]
  binding = "B"
  id = 5

[env."my env"]
kv_namespaces = [
  { binding = "C" },
  { binding = "D", id = """
multi } ] " line""" },
]
`;

const jsonc = `// top
{
  "name": "x",
  "kv_namespaces": [
    {"binding": "A"},
    {"binding": "B", "id": 5},
  ]
}
`;

describe('locates a value by its path', () => {
  test.each([
    [['name'], 2, 8],
    [['vars', 'a', 'b'], 5, 7],
    [['kv_namespaces', 0], 7, 1],
    [['kv_namespaces', 0, 'binding'], 8, 11],
    [['kv_namespaces', 1, 'id'], 11, 8],
    [['kv_namespaces', 1, 'missing'], 9, 1],
    [['env', 'my env'], 13, 1],
    [['env', 'my env', 'kv_namespaces', 1, 'binding'], 16, 15],
    [['env', 'my env', 'kv_namespaces', 1, 'id'], 16, 25],
  ])('locates a value in TOML: %j at %i:%i', async (path, line, column) => {
    expect((await readConfig(fileWith(toml))).locate(path)).toEqual({ line, column });
  });

  test.each([
    [['name'], 3, 11],
    [['kv_namespaces', 1, 'id'], 6, 28],
    [['kv_namespaces', 0, 'missing'], 5, 5],
  ])('locates a value in JSON: %j at %i:%i', async (path, line, column) => {
    expect((await readConfig(fileWith(jsonc, 'jsonc'))).locate(path)).toEqual({ line, column });
  });

  test('returns no position if no part of the path is in the file', async () => {
    expect((await readConfig(fileWith(toml))).locate(['nothing'])).toBeUndefined();
    expect((await readConfig(fileWith(jsonc, 'jsonc'))).locate(['nothing'])).toBeUndefined();
  });
});
