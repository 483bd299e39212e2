import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import type { CustomMetadata, HttpMetadata } from '../../model/objects/object.ts';
import { openRegistry } from '../../store/registry.ts';
import type { Sandbox } from '../http/app.ts';
import { makePng } from './picture.ts';

/**
 * Fills three buckets with objects of different kinds and ages. Missing and changed objects are written again. Unchanged objects keep their
 * age, and all other data is kept.
 */
export async function seedBuckets({ platform, folder }: Sandbox): Promise<void> {
  const now = platform.now();
  const all = demoBuckets();
  const missing = all.filter(({ name }) => platform.registry().buckets.find(name) === undefined);
  if (missing.length > 0) createBuckets({ folder, now, random: platform.random }, missing);
  for (const { name, objects } of all) {
    const changed = objects.filter(
      (object) => !isUnchanged(platform.objects().find(name, object.key), object),
    );
    // Objects are written in parallel, because each write waits for the disk.
    await Promise.all(
      changed.map(({ key, content, daysAgo, httpMetadata, customMetadata }) => {
        const object = { key, body: onePart(content), httpMetadata, customMetadata };
        return platform.objects().write(name, object, now - Math.round(daysAgo * dayMilliseconds));
      }),
    );
  }
}

interface DemoWorld {
  readonly folder: string;
  readonly now: number;
  random(bytes: number): Uint8Array;
}

/** Creates the buckets with a past clock, so that no bucket is newer than its objects. */
function createBuckets({ folder, now, random }: DemoWorld, buckets: readonly DemoBucket[]): void {
  let at = now;
  const past = openRegistry(folder, { random, now: () => at });
  try {
    for (const { name, daysAgo, location } of buckets) {
      at = now - daysAgo * dayMilliseconds;
      past.buckets.create({ name, storageClass: 'Standard', ...(location !== undefined && { location }) });
    }
  } finally {
    past.close();
  }
}

type Found = ReturnType<ReturnType<Sandbox['platform']['objects']>['find']>;

function isUnchanged(found: Found, { content, httpMetadata, customMetadata }: DemoObject): boolean {
  return (
    found !== undefined &&
    found.etag === createHash('md5').update(content).digest('hex') &&
    isDeepStrictEqual(found.httpMetadata, httpMetadata) &&
    isDeepStrictEqual(found.customMetadata, customMetadata)
  );
}

async function* onePart(content: Buffer): AsyncGenerator<Uint8Array> {
  if (content.length > 0) yield content;
}

interface DemoObject {
  readonly key: string;
  readonly content: Buffer;
  /** Age of the object in days when the sandbox is filled. */
  readonly daysAgo: number;
  readonly httpMetadata: HttpMetadata;
  readonly customMetadata: CustomMetadata;
}

interface DemoBucket {
  readonly name: string;
  /** Age of the bucket in days when the sandbox is filled. A bucket must be older than its oldest object. */
  readonly daysAgo: number;
  readonly location?: string;
  readonly objects: readonly DemoObject[];
}

/** Returns the buckets of a small shop, which are the same on every machine. */
export function demoBuckets(): DemoBucket[] {
  return [
    { name: 'shop-assets', daysAgo: 210, location: 'weur', objects: assets() },
    { name: 'shop-reports', daysAgo: 140, location: 'weur', objects: reports() },
    { name: 'shop-uploads', daysAgo: 95, objects: uploads() },
  ];
}

/** A key, its content, its age in days, and its headers and metadata. */
type Row = readonly [
  key: string,
  content: string | Buffer,
  daysAgo: number,
  http?: HttpMetadata,
  custom?: CustomMetadata,
];

function toDemoObjects(rows: readonly Row[]): DemoObject[] {
  return rows.map(([key, content, daysAgo, httpMetadata = {}, customMetadata = {}]) => {
    return { key, content: Buffer.from(content), daysAgo, httpMetadata, customMetadata };
  });
}

const forever = 'public, max-age=31536000, immutable';

function assets(): DemoObject[] {
  const page = { contentType: 'text/html; charset=utf-8', cacheControl: 'public, max-age=60' };
  const style = { contentType: 'text/css', cacheControl: forever };
  const script = { contentType: 'text/javascript', cacheControl: forever };
  const svg = { contentType: 'image/svg+xml', cacheControl: forever };
  const picture = { contentType: 'image/png', cacheControl: forever };
  return toDemoObjects([
    ['index.html', html('Alster & Elbe', 'Shoes, bags and coats.'), 0.2, page, { release: '2.14.0' }],
    ['de/index.html', html('Alster & Elbe', 'Schuhe, Taschen und Mäntel.'), 0.2, page, { release: '2.14.0' }],
    ['errors/404.html', html('Not found', 'This page no longer exists.'), 64, page],
    ['css/shop.4f1c9a.css', 'body { font: 16px/1.5 system-ui; }\n.price { font-weight: 600; }\n', 12, style],
    ['css/print.b07d31.css', '@media print { nav, .basket { display: none; } }\n', 203, style],
    [
      'js/basket.9e22d0.js',
      'export const total = (rows) => rows.reduce((sum, { price }) => sum + price, 0);\n',
      12,
      script,
    ],
    [
      'images/logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path d="M0 0h2v1z"/></svg>\n',
      203,
      svg,
    ],
    [
      'images/banner/winter.png',
      makePng(640, 160, [28, 72, 120]),
      3,
      picture,
      { season: 'winter', alt: 'Snow' },
    ],
    [
      'images/banner/summer.png',
      makePng(640, 160, [250, 190, 60]),
      150,
      picture,
      { season: 'summer', alt: 'Sun' },
    ],
    ['images/products/boot.png', makePng(48, 48, [90, 60, 40]), 31, picture, { sku: 'SKU-B00T' }],
    ['images/products/bag.png', makePng(48, 48, [160, 30, 60]), 31, picture, { sku: 'SKU-BA60' }],
    ['robots.txt', 'User-agent: *\nDisallow: /basket\n', 190, { contentType: 'text/plain' }],
  ]);
}

function html(title: string, text: string): string {
  const safe = title.replaceAll('&', '&amp;');
  return `<!doctype html>\n<meta charset="utf-8">\n<title>${safe}</title>\n<h1>${safe}</h1>\n<p>${text}</p>\n`;
}

function reports(): DemoObject[] {
  const csv = { contentType: 'text/csv', contentDisposition: 'attachment', contentLanguage: 'en' };
  const weekly = [1, 2, 3, 4, 5].map((week): Row => {
    return [`orders/week-${30 + week}.csv`, orders(week), 39 - week * 7, csv, { rows: '168', by: 'nightly' }];
  });
  const stock = { warehouse: 'Hamburg', counted: [{ sku: 'SKU-B00T', pieces: 41 }], closed: true };
  const log = [200, 200, 404, 200, 503].map((status, index) => JSON.stringify({ id: index, status }));
  return toDemoObjects([
    ...weekly,
    ['stock/latest.json', JSON.stringify(stock, null, 2), 0.9, { contentType: 'application/json' }],
    [
      'stock/before-sale.json',
      JSON.stringify({ ...stock, closed: false }),
      60,
      { contentType: 'application/json' },
    ],
    ['logs/edge.ndjson', `${log.join('\n')}\n`, 0.04, { contentType: 'application/x-ndjson' }],
    [
      'README.md',
      '# Reports\n\nWritten every night; kept for two years.\n',
      132,
      { contentType: 'text/markdown' },
    ],
  ]);
}

/** Returns the orders of a week as CSV, hour by hour. */
function orders(week: number): string {
  const hours = Array.from({ length: 7 * 24 }, (_, index) => index);
  const rows = hours.map((hour) => `${1 + Math.floor(hour / 24)},${hour % 24},${(hour * 31 * week) % 97}`);
  return `day,hour,orders\n${rows.join('\n')}\n`;
}

/** Returns files that customers upload under names of their choice, including names that attack a terminal or a path. */
function uploads(): DemoObject[] {
  const unknown = { contentType: 'application/octet-stream' };
  const text = { contentType: 'text/plain; charset=utf-8' };
  const customer = { customer: 'user-1037', scan: 'clean' };
  return toDemoObjects([
    [
      'returns/2026/user-1037/photo of the sole.png',
      makePng(32, 24, [200, 200, 190]),
      5,
      { contentType: 'image/png' },
      customer,
    ],
    ['returns/2026/user-1037/letter.txt', 'The left one squeaks.\n', 5, text, customer],
    [
      'returns/2026/user-1188/größe-日本語-👟.txt',
      'サイズが違います。\n',
      1.5,
      text,
      { customer: 'user-1188', note: 'größer, bitte' },
    ],
    [
      'returns/2026/red \u001b[31malert\u001b[0m \u001b]0;pwned\u0007.txt',
      'A name that would color your terminal.\n',
      0.5,
      text,
    ],
    [
      'returns/../../etc/passwd',
      'Only a name.\n',
      40,
      unknown,
      { scan: 'suspicious \u001b[7mname\u001b[0m' },
    ],
    [
      'invoices/invoice-\u202egnp.exe',
      'A name that reads backwards from its middle (U+202E).\n',
      22,
      unknown,
    ],
    ['invoices/100% of #7?.json', '{"invoice": 7, "paid": true}\n', 22, { contentType: 'application/json' }],
    ['empty', '', 90],
    ['random.bin', noise(2048), 77, unknown],
  ]);
}

function noise(bytes: number): Buffer {
  const blocks = Array.from({ length: bytes / 32 }, (_, index) =>
    createHash('sha256').update(`${index}`).digest(),
  );
  return Buffer.concat(blocks);
}
