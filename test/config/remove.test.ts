import { describe, expect, test } from 'vitest';
import { removeNamespaceIds } from '../../src/config/remove.ts';
import { sourceOf } from './folder.ts';

async function without(text: string, format: 'toml' | 'jsonc' = 'toml', id = 'x'): Promise<string> {
  return removeNamespaceIds(await sourceOf(text, format), id);
}

describe('removes the ids of a namespace from TOML', () => {
  test.each([
    [
      'an element, but not the comments',
      '# top\nname = "a"\n\n# one\n[[kv_namespaces]]\nbinding = "A" # a\n# id\nid = "x"\n\n[vars]\nB = 1\n',
      '# top\nname = "a"\n\n# one\n# id\n\n[vars]\nB = 1\n',
    ],
    [
      'one of several elements',
      '[[kv_namespaces]]\nbinding = "A"\nid = "x"\n\n[[kv_namespaces]]\nbinding = "B"\nid = "y"\n',
      '\n[[kv_namespaces]]\nbinding = "B"\nid = "y"\n',
    ],
    [
      'only the preview id',
      '[[kv_namespaces]]\r\nbinding = "A"\r\nid = "y" # keep\r\npreview_id = "x"\r\n',
      '[[kv_namespaces]]\r\nbinding = "A"\r\nid = "y" # keep\r\n',
    ],
    [
      'the last inline element',
      'kv_namespaces = [{ binding = "B", id = "y" }, { binding = "A", id = "x" }] # c\n',
      'kv_namespaces = [{ binding = "B", id = "y" }] # c\n',
    ],
    [
      'the first inline element',
      'kv_namespaces = [{ binding = "A", id = "x" }, { binding = "B", id = "y" }]\n',
      'kv_namespaces = [{ binding = "B", id = "y" }]\n',
    ],
    [
      'elements on separate lines',
      'kv_namespaces = [\n  # all\n  { binding = "A", id = "x" }, # a\n  { binding = "B", id = "y" }, # b\n]\n',
      'kv_namespaces = [\n  # all\n  { binding = "B", id = "y" }, # b\n]\n',
    ],
    [
      'a field of an inline table, and in an environment too',
      'kv_namespaces = [{ binding = "A", id = "y", preview_id = "x" }]\n[[env.e.kv_namespaces]]\nbinding = "A"\nid = "x"\n[env.e.vars]\nV = 1\n',
      'kv_namespaces = [{ binding = "A", id = "y" }]\n[env.e.vars]\nV = 1\n',
    ],
    ['nothing', 'name = "x"\nkv_namespaces = [{ binding = "A", id = "y" }]\n', undefined],
  ])('removes %s', async (_, before, after) => {
    expect(await without(before)).toBe(after ?? before);
  });
});

describe('removes the ids of a namespace from JSON with comments', () => {
  test.each([
    [
      'an element on separate lines',
      '{\n  // all\n  "kv_namespaces": [\n    { "binding": "B", "id": "y" }, // b\n    {\n      "binding": "A",\n      "id": "x"\n    }\n  ],\n  "name": "n"\n}\n',
      '{\n  // all\n  "kv_namespaces": [\n    { "binding": "B", "id": "y" } // b\n  ],\n  "name": "n"\n}\n',
    ],
    [
      'a field with a trailing comma',
      '{ "kv_namespaces": [{\n  "binding": "A",\n  "id": "y",\n  "preview_id": "x",\n}] }',
      '{ "kv_namespaces": [{\n  "binding": "A",\n  "id": "y",\n}] }',
    ],
    ['the only element', '{"kv_namespaces": [{"binding": "A", "id": "x"}]}', '{"kv_namespaces": []}'],
  ])('removes %s', async (_, before, after) => {
    expect(await without(before, 'jsonc')).toBe(after);
  });
});
