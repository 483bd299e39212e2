import { createHash } from 'node:crypto';
import type { BulkEntry } from '../../model/kv/kv.ts';
import { makePng } from './picture.ts';

/** A demo namespace that has been filled. */
export interface SeededNamespace {
  readonly id: string;
  readonly title: string;
  readonly keys: number;
}

export interface DemoNamespace {
  readonly title: string;
  readonly entries: readonly BulkEntry[];
}

/**
 * Returns the data of a small shop, which is the same on every machine. Keys expire relative to the time of writing.
 */
export function demoNamespaces(): DemoNamespace[] {
  return [
    { title: 'shop-FEATURE_FLAGS', entries: flags() },
    { title: 'shop-SESSIONS', entries: sessions() },
    { title: 'shop-CATALOGUE', entries: catalogue() },
    { title: 'shop-REDIRECTS', entries: redirects() },
    { title: 'shop-ODDITIES', entries: oddities() },
  ];
}

const teams = ['checkout', 'search', 'identity', 'growth'];
const countries = ['de', 'fr', 'pl', 'se', 'jp', 'br'];

function flags(): BulkEntry[] {
  const names = [
    'banner.winter-sale',
    'cart.express-checkout',
    'cart.gift-wrapping',
    'checkout.address-lookup',
    'checkout.apple-pay',
    'checkout.klarna',
    'identity.passkeys',
    'identity.sms-login',
    'images.avif',
    'mail.new-templates',
    'search.autocomplete',
    'search.semantic',
    'search.typo-tolerance',
    'shipping.same-day',
    'shipping.locker',
    'tracking.consent-v2',
  ];
  return names.map((name, index) => ({
    key: name,
    value: JSON.stringify(
      {
        enabled: index % 3 !== 0,
        rollout: { percent: (index * 25) % 125, countries: countries.slice(0, (index % 5) + 1) },
        variants: index % 4 === 0 ? ['control', 'treatment'] : [],
      },
      null,
      2,
    ),
    metadata: { team: pick(teams, index), revision: 3 + index },
    ...(name === 'banner.winter-sale' ? { expiration_ttl: 7 * day } : {}),
  }));
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Returns sessions that expire between two minutes and two days after they are written. */
function sessions(): BulkEntry[] {
  return range(120).map((index) => {
    const user = `user-${1000 + ((index * 37) % 400)}`;
    return {
      key: `session:${digest(`session ${index}`)}`,
      value: JSON.stringify({
        user,
        cart: range(index % 4).map((item) => ({ sku: sku(index + item), quantity: 1 + (item % 3) })),
        csrf: digest(`csrf ${index}`).slice(0, 16),
      }),
      expiration_ttl: 2 * minute + Math.round((index / 119) ** 3 * 2 * day),
      metadata: { country: pick(countries, index), device: index % 3 === 0 ? 'phone' : 'desktop' },
    };
  });
}

const places = ['eu/de', 'eu/fr', 'eu/pl', 'asia/jp', 'latam/br'];
const kinds = ['shoes', 'bags', 'coats'];

function catalogue(): BulkEntry[] {
  const products = places.flatMap((place) =>
    kinds.flatMap((kind) => range(12).map((index) => product(place, kind, index))),
  );
  const pictures = range(8).map((index) => ({
    key: `images/${sku(index)}.png`,
    value: makePng(24, 24, [40 + index * 24, 200 - index * 20, 120]).toString('base64'),
    base64: true,
    metadata: { contentType: 'image/png', alt: `Picture of ${sku(index)}` },
  }));
  const index = { products: products.length, pictures: pictures.length };
  return [...products, ...pictures, { key: 'index.json', value: JSON.stringify(index) }];
}

function product(place: string, kind: string, index: number): BulkEntry {
  const number = String(index + 1).padStart(4, '0');
  const value = {
    sku: sku(index + kind.length),
    name: `${pick(['Alster', 'Elbe', 'Isar', 'Oder'], index)} ${kind.slice(0, -1)} ${number}`,
    price: { amount: 4900 + index * 350, currency: place.startsWith('eu') ? 'EUR' : 'USD' },
    sizes: range(4).map((size) => 38 + size),
    stock: (index * 7) % 23,
  };
  return {
    key: `products/${place}/${kind}/${number}`,
    value: JSON.stringify(value),
    metadata: { etag: digest(`${place}${kind}${index}`).slice(0, 8) },
  };
}

function redirects(): BulkEntry[] {
  return range(40).map((index) => ({
    key: index % 5 === 0 ? `/sale/${2015 + index / 5}` : `/old/${pick(kinds, index)}/${index}`,
    value: `https://shop.example/${pick(places, index)}/${pick(kinds, index)}?from=${index}`,
    metadata: { status: index % 4 === 0 ? 302 : 301 },
  }));
}

/** Returns entries that break careless tools: empty, huge, binary and unreadable values, and names that attack a terminal. */
function oddities(): BulkEntry[] {
  const text: Record<string, string> = {
    'empty-value': '',
    'hello.txt': 'Hello, edge!\n',
    'page.html': '<!doctype html>\n<title>Maintenance</title>\n<h1>Back at 10:00</h1>\n',
    'numbers.csv': `day,orders\n${range(30)
      .map((index) => `2026-06-${index + 1},${(index * 31) % 97}`)
      .join('\n')}\n`,
    'not-quite.json': '{"unfinished": [1, 2,',
    'escape-sequences.txt': '\u001b[31mred\u001b[0m \u001b]0;stolen title\u0007 \u001b[2J\u001b[Hgone?\n',
    'large-300k.json': JSON.stringify(range(7500).map((index) => ({ id: index, sku: sku(index), ok: true }))),
    [`long-name/${'0123456789abcdef'.repeat(32)}`.slice(0, 512)]: 'A name of 512 bytes.',
    'name with spaces': 'Only --any-key writes such a name.',
    'tab\tand\nnewline': 'A name of several lines.',
    'red \u001b[31malert\u001b[0m': 'A name that would color your terminal.',
    'bell\u0007 and title \u001b]0;pwned\u0007': 'A name that would ring the terminal bell.',
    'invoice-\u202egnp.exe': 'A name that reads backwards from its middle (U+202E).',
    'zero\u200bwidth': 'A name with an invisible character (U+200B).',
    'percent%2Fencoded': 'The name contains a percent sign, not a slash.',
    'a/../b': 'The name contains two dots, which are not a parent folder.',
    '../../etc/passwd': 'Only a name.',
    'what?is=this#here': 'Query and fragment are part of the name.',
    'C:\\temp\\key': 'Backslashes.',
    ['__proto__']: 'An ordinary name.',
    'straße/größe': 'German.',
    日本語キー: '値は日本語です。',
    'עברית/מפתח': 'ערך',
    'emoji-👩🏽‍🚀-🇪🇺': '🚀',
    'e\u0301 is not \u00e9': 'One letter in two Unicode forms.',
  };
  const entries = Object.entries(text).map(([key, value]) => ({ key, value }));
  const binary = {
    'random.bin': Buffer.from(
      range(16)
        .map((index) => digest(`block ${index}`))
        .join(''),
      'hex',
    ),
    'latin-1.txt': Buffer.from('Größe: fünf', 'latin1'),
    'pixel.png': makePng(1, 1, [255, 0, 255]),
    'nul-bytes': Buffer.alloc(64),
  };
  const blobs = Object.entries(binary).map(([key, bytes]) => ({
    key,
    value: bytes.toString('base64'),
    base64: true,
    metadata: { bytes: bytes.length, note: 'line one\nline two \u001b[7minverse' },
  }));
  const soon = {
    key: 'gone-in-a-minute',
    value: 'This key expires within a minute.',
    expiration_ttl: minute,
  };
  return [...entries, ...blobs, soon];
}

function sku(index: number): string {
  return `SKU-${digest(`sku ${index}`).slice(0, 6).toUpperCase()}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function pick(from: readonly string[], index: number): string {
  return from[index % from.length] ?? '';
}
