import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { type BindingEntry, configSnippet } from '../../src/config/entry.ts';
import { withLockedConfig } from '../../src/config/hold.ts';
import { readConfig } from '../../src/config/read.ts';
import { addBindingToText } from '../../src/config/write.ts';
import type { ConfigFile } from '../../src/model/config.ts';
import { testWorld } from '../support/world.ts';
import { fileWith, folderWith, sourceOf } from './folder.ts';

const entry: BindingEntry = { list: 'kv_namespaces', binding: 'NEW', fields: { id: 'n1' } };
const preview: BindingEntry = { list: 'kv_namespaces', binding: 'NEW', fields: { preview_id: 'n2' } };

const holder = () => ({ world: testWorld(), note: () => undefined });

/** Adds an entry to a file as a command does: lock, read, edit, replace. */
async function updateConfig(file: ConfigFile, change: BindingEntry, environment?: string): Promise<void> {
  await withLockedConfig(file, holder(), async (held) => {
    const source = await held.read();
    await held.replace(source, await addBindingToText(source, change, environment));
  });
}

async function edited(text: string, change: BindingEntry = entry, environment?: string): Promise<string> {
  return addBindingToText(await sourceOf(text), change, environment);
}

describe('adds an entry to TOML', () => {
  test.each([
    ['an empty file', '', '[[kv_namespaces]]\nbinding = "NEW"\nid = "n1"\n'],
    [
      'a file without the array',
      'name = "x" # mine',
      'name = "x" # mine\n\n[[kv_namespaces]]\nbinding = "NEW"\nid = "n1"\n',
    ],
    [
      'an array of tables, after its last element',
      '[[kv_namespaces]]\nbinding = "A" # one\n# about A\n\n# about vars\n[vars]\nX = 1\n',
      '[[kv_namespaces]]\nbinding = "A" # one\n\n[[kv_namespaces]]\nbinding = "NEW"\nid = "n1"\n# about A\n\n# about vars\n[vars]\nX = 1\n',
    ],
    [
      'a one-line inline array',
      'kv_namespaces = [{ binding = "A" }]',
      'kv_namespaces = [{ binding = "A" }, { binding = "NEW", id = "n1" }]',
    ],
    [
      'an inline array with a trailing comma',
      'kv_namespaces = [ {binding="A"}, ] # c',
      'kv_namespaces = [ {binding="A"}, { binding = "NEW", id = "n1" }, ] # c',
    ],
    ['an empty inline array', 'kv_namespaces = []', 'kv_namespaces = [{ binding = "NEW", id = "n1" }]'],
    [
      'a multi-line inline array with comments',
      'kv_namespaces = [ # list\n\t{ binding = "A" } # one, two\n\t# end\n]\n',
      'kv_namespaces = [ # list\n\t{ binding = "A" }, # one, two\n\t{ binding = "NEW", id = "n1" }\n\t# end\n]\n',
    ],
    [
      'a multi-line inline array with a trailing comma',
      'kv_namespaces = [\n  { binding = "A" }, # one\n]\n',
      'kv_namespaces = [\n  { binding = "A" }, # one\n  { binding = "NEW", id = "n1" },\n]\n',
    ],
    [
      'an inline array closed on the line of its last element',
      'kv_namespaces = [\n  { binding = "A" } ]\n',
      'kv_namespaces = [\n  { binding = "A" },\n  { binding = "NEW", id = "n1" } ]\n',
    ],
    [
      'a file with line ends of Windows',
      'name = "x"\r\n[[kv_namespaces]]\r\nbinding = "A"\r\n',
      'name = "x"\r\n[[kv_namespaces]]\r\nbinding = "A"\r\n\r\n[[kv_namespaces]]\r\nbinding = "NEW"\r\nid = "n1"\r\n',
    ],
  ])('adds an entry to %s', async (_, before, after) => {
    expect(await edited(before)).toBe(after);
  });

  test('adds an entry to an environment, in the existing style', async () => {
    expect(await edited('[env.x]\nname = "y"\n', entry, 'x')).toBe(
      '[env.x]\nname = "y"\n\n[[env.x.kv_namespaces]]\nbinding = "NEW"\nid = "n1"\n',
    );
    expect(await edited('  [[ env."x".kv_namespaces ]]\n  binding = "A"\n', entry, 'x')).toBe(
      '  [[ env."x".kv_namespaces ]]\n  binding = "A"\n\n  [[ env."x".kv_namespaces ]]\n  binding = "NEW"\n  id = "n1"\n',
    );
    expect(await edited('[env.x]\nkv_namespaces = []\n', entry, 'x')).toBe(
      '[env.x]\nkv_namespaces = [{ binding = "NEW", id = "n1" }]\n',
    );
    expect(await edited('env.x.name = "y"\n', entry, 'x')).toBe(
      'env.x.name = "y"\n\n[[env.x.kv_namespaces]]\nbinding = "NEW"\nid = "n1"\n',
    );
  });

  test('escapes the values of an added entry', async () => {
    const hostile = { ...entry, fields: { id: '"\\\n\u007f]' } };
    expect(parse(await edited('', hostile))).toMatchObject({ kv_namespaces: [{ id: '"\\\n\u007f]' }] });
  });
});

describe('changes an entry in TOML', () => {
  test.each([
    [
      '[[kv_namespaces]]\nbinding = "NEW"\nid = "old" # keep\n',
      entry,
      '[[kv_namespaces]]\nbinding = "NEW"\nid = "n1" # keep\n',
    ],
    [
      '[[kv_namespaces]]\n  binding = "NEW" # keep\n[vars]\n',
      preview,
      '[[kv_namespaces]]\n  binding = "NEW" # keep\n  preview_id = "n2"\n[vars]\n',
    ],
    [
      "kv_namespaces = [{ id='old', binding = 'NEW' }]",
      entry,
      'kv_namespaces = [{ id="n1", binding = \'NEW\' }]',
    ],
    [
      'kv_namespaces = [{ binding = "NEW" }, { binding = "B" }]',
      preview,
      'kv_namespaces = [{ binding = "NEW", preview_id = "n2" }, { binding = "B" }]',
    ],
  ])('changes the entry in %j', async (before, change, after) => {
    expect(await edited(before, change)).toBe(after);
  });
});

describe('edits JSON with comments', () => {
  async function editedJson(
    text: string,
    change: BindingEntry = entry,
    environment?: string,
  ): Promise<string> {
    return addBindingToText(await sourceOf(text, 'jsonc'), change, environment);
  }

  test.each([
    [
      'gets the array',
      '{\n  // mine\n  "name": "x"\n}\n',
      '{\n  // mine\n  "name": "x",\n  "kv_namespaces": [\n    {\n      "binding": "NEW",\n      "id": "n1"\n    }\n  ]\n}\n',
    ],
    [
      'gets an element',
      '{\n\t"kv_namespaces": [\n\t\t{ "binding": "A" } // one\n\t]\n}\n',
      '{\n\t"kv_namespaces": [\n\t\t{ "binding": "A" }, // one\n\t\t{ "binding": "NEW", "id": "n1" }\n\t]\n}\n',
    ],
    [
      'gets an element after a trailing comma',
      '{\n  "kv_namespaces": [\n    { "binding": "A" }, // one\n  ],\n}\n',
      '{\n  "kv_namespaces": [\n    { "binding": "A" }, // one\n    { "binding": "NEW", "id": "n1" },\n  ],\n}\n',
    ],
    [
      'gets an element in the layout of the last element',
      '{\r\n  "kv_namespaces": [{\r\n    "binding": "A"\r\n  },\r\n  {\r\n    "binding": "B"\r\n  } /* one\r\n two */\r\n]}',
      '{\r\n  "kv_namespaces": [{\r\n    "binding": "A"\r\n  },\r\n  {\r\n    "binding": "B"\r\n  }, /* one\r\n two */\r\n  {\r\n    "binding": "NEW",\r\n    "id": "n1"\r\n  }\r\n]}',
    ],
    [
      'gets the first element of a list of comments',
      '{\n  "kv_namespaces": [\n    // none yet\n  ]\n}',
      '{\n  "kv_namespaces": [\n    {\n      "binding": "NEW",\n      "id": "n1"\n    }\n    // none yet\n  ]\n}',
    ],
    [
      'gets a field',
      '{"kv_namespaces": [{"binding": "NEW"}]}',
      '{"kv_namespaces": [{"binding": "NEW", "id": "n1"}]}',
    ],
    [
      'has a field replaced',
      '{"kv_namespaces": [{"binding": "NEW", /* old */ "id": "o"}]}',
      '{"kv_namespaces": [{"binding": "NEW", /* old */ "id": "n1"}]}',
    ],
  ])('JSON with comments %s', async (_, before, after) => {
    expect(await editedJson(before)).toBe(after);
  });

  test.each([
    '{}',
    '{"a": 1,}',
    '{"kv_namespaces": []}',
    '{"kv_namespaces": [ /* none */ ],}',
    '{"kv_namespaces": [{"binding": "A"},],}',
    '{"kv_namespaces": [{"binding": "A"}, /* x */]}',
    '{"kv_namespaces": [{"binding": "NEW",}]}',
    '// a\n{ // b\n} // c',
    '{\n  "a": 1, // last\n}',
    '{\n  "kv_namespaces": [\n    // none yet\n  ]\n}',
  ])('keeps the comments when it changes %j', async (text) => {
    const after = await editedJson(text);
    expect(isSubsequence(text, after)).toBe(true);
    for (const comment of text.match(/\/\*.*?\*\/|\/\/.*/g) ?? []) expect(after).toContain(comment);
    expect(after.replace(/\s|\/\*.*?\*\/|\/\/.*/g, '')).toContain('"binding":"NEW"');
  });

  test('edits JSON with a member named __proto__', async () => {
    const after = await editedJson('{"vars":{"__proto__":{"x":1}}}');
    expect(JSON.stringify(JSON.parse(after))).toBe(
      '{"vars":{"__proto__":{"x":1}},"kv_namespaces":[{"binding":"NEW","id":"n1"}]}',
    );
  });

  test('adds an entry to an environment in JSON', async () => {
    expect(JSON.parse(await editedJson('{"env":{"x":{}}}', entry, 'x'))).toEqual({
      env: { x: { kv_namespaces: [{ binding: 'NEW', id: 'n1' }] } },
    });
  });
});

describe('refuses a layout that cannot be edited safely, with the snippet', () => {
  test.each([
    ['toml', 'env = { x = { name = "y" } }', 'x'],
    ['toml', 'name = "y"', 'x'],
    ['toml', 'kv_namespaces = "odd"', undefined],
    ['jsonc', '{"kv_namespaces": [], "kv_namespaces": []}', undefined],
    ['jsonc', '{"kv_namespaces": {}}', undefined],
    ['jsonc', '[]', undefined],
  ] as const)('%s %s (environment %s)', async (format, text, environment) => {
    const file = fileWith(text, format);
    await expect(updateConfig(file, entry, environment)).rejects.toMatchObject({
      code: 'config-invalid',
      message: `${file.path} cannot be edited safely because of how it is written.`,
      hint: `The file was not changed. Add this entry manually:\n${configSnippet(entry, format, environment)}`,
    });
    expect(readFileSync(file.path, 'utf8')).toBe(text);
    expect(readdirSync(dirname(file.path))).toHaveLength(1);
  });
});

test('changes only the entry in arbitrary TOML', async () => {
  const noise = fc.constantFrom(
    '# [[kv_namespaces]]',
    'text = """\n[[kv_namespaces]]\nbinding = "NEW"\n"""',
    "path = 'C:\\[x]' # ]",
    'list = [\n  "a]", # ,\n  [1, 2],\n]',
    'date = 2026-01-01T00:00:00Z',
    'big = 1_000',
    '',
  );
  const tables = fc.constantFrom(
    '[vars]\nA = "]"',
    '[[r2_buckets]]\nbinding = "B"',
    '[env.x]\nname = "x"',
    '# end',
  );
  const lists = fc.constantFrom(
    '',
    'kv_namespaces = []',
    'kv_namespaces = [ { binding = "A" } ]',
    'kv_namespaces = [\n  { binding = "A" }, # [\n\n  { binding = "NEW" }\n  # ]\n]',
    '[[kv_namespaces]]\nbinding = "A"',
    '[[kv_namespaces]]\nid = "old" # o\nbinding = "NEW" # n\n',
  );
  const document = fc
    .record({
      noise: fc.uniqueArray(noise),
      list: lists,
      tables: fc.uniqueArray(tables),
      crlf: fc.boolean(),
      end: fc.boolean(),
    })
    .map(({ noise, list, tables, crlf, end }) => {
      const text = [...noise, list, ...tables].join('\n') + (end ? '\n' : '');
      return crlf ? text.replaceAll('\n', '\r\n') : text;
    });
  await fc.assert(
    fc.asyncProperty(document, fc.constantFrom(entry, preview), async (text, change) => {
      const after = await edited(text, change);
      expect(parse(after)).toMatchObject({
        kv_namespaces: expect.arrayContaining([
          expect.objectContaining({ binding: 'NEW', ...change.fields }),
        ]),
      });
      expect(isSubsequence(text.replace('"old"', change.fields['id'] ? '"n1"' : '"old"'), after)).toBe(true);
      expect(after.includes('\r\n')).toBe(text.includes('\r\n'));
      expect(await edited(after, change)).toBe(after);
    }),
    { numRuns: 300 },
  );
});

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const character of long) if (character === short[at]) at++;
  return at === short.length;
}

describe('writing the file', () => {
  test('replaces the file, keeps its mode and byte order mark, and leaves no other file', async () => {
    const file = fileWith('\ufeffname = "x"\n');
    chmodSync(file.path, 0o640);
    await updateConfig(file, entry);
    expect(readFileSync(file.path, 'utf8')).toBe(
      '\ufeffname = "x"\n\n[[kv_namespaces]]\nbinding = "NEW"\nid = "n1"\n',
    );
    expect(statSync(file.path).mode & 0o777).toBe(0o640);
    expect(readdirSync(dirname(file.path))).toEqual(['edgectl.toml']);
  });

  test('keeps a symbolic link through which it writes', async () => {
    const folder = folderWith({ 'real/shared.toml': 'name = "x"\n' });
    const path = join(folder, 'edgectl.toml');
    symlinkSync('real/shared.toml', path);
    await updateConfig({ path, format: 'toml', fallback: false }, entry);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'real/shared.toml'), 'utf8')).toContain('binding = "NEW"');
  });

  test('does not overwrite a file that has changed since it was read', async () => {
    const file = fileWith('name = "x"\n');
    const meddled = withLockedConfig(file, holder(), async (held) => {
      const source = await held.read();
      writeFileSync(file.path, 'name = "other"\n');
      await held.replace(source, 'name = "mine"\n');
    });
    await expect(meddled).rejects.toThrow('Another program changed');
    expect(readFileSync(file.path, 'utf8')).toBe('name = "other"\n');
    expect(readdirSync(dirname(file.path))).toEqual(['edgectl.toml']);
  });

  test('refuses a write-protected file or folder before doing anything', async () => {
    const file = fileWith('name = "x"\n');
    chmodSync(file.path, 0o444);
    const work = async () => expect.unreachable('the work began');
    await expect(withLockedConfig(file, holder(), work)).rejects.toMatchObject({
      code: 'config-invalid',
      message: `${file.path} is write-protected; nothing was sent.`,
    });
    await expect(
      withLockedConfig({ ...file, path: '/proc/self/oom_score_adj' }, holder(), work),
    ).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/^\/proc\/self\/oom_score_adj cannot be written: [a-z ]+\.$/),
    });
  });

  test('refuses an invalid configuration before writing anything', async () => {
    const file = fileWith('name = ');
    await expect(updateConfig(file, entry)).rejects.toThrow(':1:8: not TOML');
  });
});

describe('the snippet', () => {
  test.each([
    ['toml', undefined, '[[kv_namespaces]]\nbinding = "NEW"\nid = "n1"'],
    ['toml', 'my env', '[[env."my env".kv_namespaces]]\nbinding = "NEW"\nid = "n1"'],
    [
      'jsonc',
      undefined,
      '{\n  "kv_namespaces": [\n    {\n      "binding": "NEW",\n      "id": "n1"\n    }\n  ]\n}',
    ],
  ] as const)('the snippet is correct in %s for environment %s', (format, environment, snippet) => {
    expect(configSnippet(entry, format, environment)).toBe(snippet);
  });

  test('the snippet is valid as a configuration for an environment in JSON', async () => {
    const snippet = configSnippet(preview, 'jsonc', 'x');
    expect((await readConfig(fileWith(snippet, 'jsonc'))).data).toEqual({
      env: { x: { kv_namespaces: [{ binding: 'NEW', preview_id: 'n2' }] } },
    });
  });
});
