import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HclNames, hclLines, hclString } from '../../../src/text/fleet/hcl.ts';

/** Reads a quoted HCL string according to its specification. Fails on a template, and on a string that ends early. */
function readHcl(quoted: string): string {
  const inside = quoted.slice(1, -1);
  const token = /\\u([0-9a-f]{4})|\\(["\\nrt])|(\$\$|%%)\{|([^"\\\n]|$)/gy;
  let text = '';
  for (let end = 0; end < inside.length; end = token.lastIndex) {
    const [, code, letter, opening, plain] = token.exec(inside) ?? [];
    if (code !== undefined) text += String.fromCharCode(Number.parseInt(code, 16));
    else if (letter !== undefined) text += { n: '\n', r: '\r', t: '\t' }[letter] ?? letter;
    else if (opening !== undefined) text += `${opening[0]}{`;
    else if (plain !== undefined) text += plain;
    else throw new Error(`not HCL at ${end}: ${quoted}`);
    if ((plain === '$' || plain === '%') && inside[token.lastIndex] === '{') throw new Error('a template');
  }
  return text;
}

it.each([
  ['plain', '"plain"'],
  ['a "quote" and \\', '"a \\"quote\\" and \\\\"'],
  [`$\{var.secret} %{ if true }`, `"$$\{var.secret} %%{ if true }"`],
  ['two\nlines\t\u0007', '"two\\nlines\\t\\u0007"'],
])('writes %j as an HCL string', (text, written) => {
  expect(hclString(text)).toBe(written);
});

it('writes every string in a form that is read back unchanged, and never as a template', () => {
  const pieces = fc.constantFrom('$', '%', '{', '}', '$${', '"', '\\', '\n', 'é', '\u202e', 'x');
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces).map((parts) => parts.join('')),
  );
  fc.assert(fc.property(texts, (text) => readHcl(hclString(text)) === text));
});

it('aligns attributes, and omits undefined attributes', () => {
  const fields = { zone_id: 'z', wildcard: false, none: undefined, ssl: { method: 'txt', settings: {} } };
  expect(hclLines({ ...fields, metadata: { 'a.b': '1' } }, 1)).toEqual([
    '  zone_id  = "z"',
    '  wildcard = false',
    '  ssl      = {',
    '    method = "txt"',
    '  }',
    '  metadata = {',
    '    "a.b" = "1"',
    '  }',
  ]);
});

it('returns only valid names, each name once', () => {
  const names = new HclNames();
  const taken = ['shop.acme.com', 'shop-acme.com', 'shop.acme.com_2', '1.acme.com', '*.acme.com'].map(
    (name) => names.take(name),
  );
  expect(taken).toEqual([
    'shop_acme_com',
    'shop_acme_com_2',
    'shop_acme_com_2_2',
    '_1_acme_com',
    'wildcard_acme_com',
  ]);
});

it('quotes a name that would begin an expression', () => {
  expect(hclLines({ custom_metadata: { for: 'x', or: 'y' } }, 0)).toEqual([
    'custom_metadata = {',
    '  "for" = "x"',
    '  or    = "y"',
    '}',
  ]);
});
