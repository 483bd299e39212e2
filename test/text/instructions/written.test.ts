import { expect, test } from 'vitest';
import type { Instructions } from '../../../src/model/instructions/instructions.ts';
import { findProvider } from '../../../src/model/instructions/providers.ts';
import { writtenFormats, writtenInstructions } from '../../../src/text/instructions/written.ts';

const hostile: Instructions = {
  hostname: 'shop.acme.com',
  zone: 'acme.com',
  nameServers: ['ns1.<b>.com'],
  recognised: false,
  turn: 'customer',
  state: 'One <script>alert(1)</script> \u001b[2J|`x`',
  records: [
    {
      type: 'TXT',
      name: '_a"><img src=x onerror=alert(1)>',
      fullName: '_a.acme.com',
      value: '``|</code><script src="https://evil.example/x.js">\u202e',
      ttl: 600,
      purpose: '[a](https://evil.example)',
      state: 'missing',
      optional: false,
    },
  ],
  missing: [],
  notes: ['<iframe>'],
};

test.each(writtenFormats)(
  '%s: shows untrusted strings as text, and makes control characters visible',
  (format) => {
    const text = writtenInstructions(format, hostile);
    expect(text).not.toMatch(/[\u001b\u202e]/);
    expect(text.replaceAll('\\', '')).toContain('e[2J');
  },
);

test('creates a page that contains only its own elements, and loads nothing', () => {
  const page = writtenInstructions('html', hostile);
  const elements = new Set([...page.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name));
  expect(elements).not.toContain('script');
  expect(elements).not.toContain('img');
  expect(elements).not.toContain('iframe');
  expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
  expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
  expect(page).not.toMatch(/(?:src|href)=["']/);
});

test('Markdown: keeps a value with backticks and a vertical bar in one cell', () => {
  const markdown = writtenInstructions('md', hostile);
  expect(markdown).toContain('| Value | ``` ``\\|</code>');
  expect(markdown).toContain('\\[a\\](https://evil.example)');
});

const servers: readonly (readonly [string, string])[] = [
  ['ada.ns.cloudflare.com', 'cloudflare'],
  ['ns07.domaincontrol.com', 'godaddy'],
  ['dns1.registrar-servers.com', 'namecheap'],
  ['ns-1536.awsdns-00.co.uk', 'route53'],
  ['ns-cloud-a1.googledomains.com', 'google'],
  ['ns1-03.azure-dns.com', 'azure'],
  ['ns01.squarespacedns.com', 'squarespace'],
  ['ns1045.ui-dns.de', 'ionos'],
  ['dns104.ovh.net', 'ovh'],
  ['ns-112-a.gandi.net', 'gandi'],
  ['hydrogen.ns.hetzner.com', 'hetzner'],
  ['ns1.digitalocean.com', 'digitalocean'],
  ['ns1.dnsimple.com', 'dnsimple'],
  ['curitiba.ns.porkbun.com', 'porkbun'],
  ['ns1bpx.name.com', 'namecom'],
  ['ns1.vercel-dns.com', 'vercel'],
  ['ns8.wixdns.net', 'wix'],
];

test.each(servers)('recognizes %s as a name server of %s', (server, id) => {
  expect(findProvider([server])?.id).toBe(id);
  expect(findProvider([`${server}.evil.net`])).toBeUndefined();
});
