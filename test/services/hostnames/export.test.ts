import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import {
  type HostnameExportFormat,
  hostnameExport,
  hostnameFormatFor,
} from '../../../src/services/hostnames/fleet/export.ts';
import { readWantedFile } from '../../../src/services/hostnames/fleet/wanted.ts';
import { testWorld } from '../../support/world.ts';

const zoneId = 'a1'.repeat(16);

const full: CustomHostname = {
  id: 'id-full',
  hostname: 'shop.acme.com',
  status: 'active',
  custom_origin_server: 'eu.saas.com',
  custom_origin_sni: 'sni.saas.com',
  custom_metadata: { plan: '=pro, "x"', seats: 3, flags: { beta: true } },
  ssl: {
    id: 'certificate',
    status: 'active',
    method: 'txt',
    type: 'dv',
    certificate_authority: 'google',
    bundle_method: 'ubiquitous',
    wildcard: true,
    settings: { min_tls_version: '1.2', http2: 'on', tls_1_3: 'off', early_hints: 'on' },
  },
};
const bare: CustomHostname = { id: 'id-bare', hostname: 'blog.acme.com', status: 'pending' };
const uploaded: CustomHostname = {
  id: 'id-up',
  hostname: '*.acme.com',
  custom_metadata: {},
  ssl: { custom_certificate: 'PEM', method: 'http', type: 'dv' },
};

async function exported(
  format: HostnameExportFormat,
  pages: readonly (readonly CustomHostname[])[],
  escapesFormulas?: boolean,
) {
  const counts: number[] = [];
  async function* read() {
    yield* pages;
  }
  const options = { zoneId, format, ...(escapesFormulas !== undefined && { escapesFormulas }) };
  let text = '';
  for await (const part of hostnameExport(read(), options, (count) => counts.push(count))) text += part;
  return { text, counts };
}

test.each([
  ['all.csv', 'csv'],
  ['all', 'csv'],
  ['json', 'csv'],
  ['all.json.txt', 'csv'],
  ['all.ndjson', 'ndjson'],
  ['all.jsonl.gz', 'ndjson'],
  ['all.json', 'json'],
  ['all.json.gz', 'json'],
  ['all.tf', 'terraform'],
])('exports to the file %s as %s', (file, format) => {
  expect(hostnameFormatFor(file)).toBe(format);
});

describe('an export', () => {
  const heading = 'hostname,method,ca,branding,min_tls,wildcard,origin,origin_sni,metadata\n';
  const metadata = '"{""plan"":""=pro, \\""x\\"""",""seats"":3,""flags"":{""beta"":true}}"';

  test('writes one line of CSV per hostname, empty cells for absent values, and metadata as JSON', async () => {
    const { text, counts } = await exported('csv', [[full, bare], [uploaded]]);
    expect(text).toBe(
      `${heading}shop.acme.com,txt,google,,1.2,true,eu.saas.com,sni.saas.com,${metadata}\nblog.acme.com,,,,,,,,\n*.acme.com,,,,,,,,\n`,
    );
    expect(counts).toEqual([2, 1]);
    expect((await exported('csv', [])).text).toBe(heading);
  });

  test('escapes formulas in CSV if requested, and otherwise writes exact values', async () => {
    const formula = { ...bare, custom_origin_server: '=1+1' };
    expect((await exported('csv', [[formula]])).text).toContain(',=1+1,');
    expect((await exported('csv', [[formula]], false)).text).toContain(',=1+1,');
    expect((await exported('csv', [[formula]], true)).text).toMatch(/,"?'=1\+1"?,/);
  });

  const fields = {
    hostname: 'shop.acme.com',
    method: 'txt',
    ca: 'google',
    min_tls: '1.2',
    wildcard: true,
    origin: 'eu.saas.com',
    origin_sni: 'sni.saas.com',
    metadata: full.custom_metadata,
  };

  test('writes one object of NDJSON per line, without absent values', async () => {
    const { text } = await exported('ndjson', [[full, bare], [uploaded]]);
    const lines = text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      fields,
      { hostname: 'blog.acme.com' },
      { hostname: '*.acme.com' },
    ]);
    expect((await exported('ndjson', [[]])).text).toBe('');
  });

  test('writes one JSON array over all pages, with one hostname per line', async () => {
    const { text } = await exported('json', [[full, bare], [uploaded]]);
    expect(JSON.parse(text)).toEqual([fields, { hostname: 'blog.acme.com' }, { hostname: '*.acme.com' }]);
    expect(text.split('\n')).toHaveLength(6);
    expect((await exported('json', [])).text).toBe('[]\n');
  });

  test('is imported unchanged, in every format', async () => {
    for (const format of ['csv', 'ndjson', 'json'] as const) {
      const world = testWorld();
      const { text } = await exported(format, [[full], [bare]]);
      writeFileSync(join(world.cwd, 'all'), text);
      const { wanted, wrong } = await readWantedFile(world, 'all');
      expect(wrong).toEqual([]);
      expect([...wanted.values()].map(({ asked }) => asked)).toEqual([
        {
          hostname: 'shop.acme.com',
          method: 'txt',
          authority: 'google',
          minimumTls: '1.2',
          wildcard: true,
          origin: 'eu.saas.com',
          originSni: 'sni.saas.com',
          metadata: full.custom_metadata,
        },
        { hostname: 'blog.acme.com' },
      ]);
    }
  });

  // https://registry.terraform.io/providers/cloudflare/cloudflare/latest/docs/resources/custom_hostname
  test('imports and describes each hostname for Terraform, without an uploaded certificate', async () => {
    const twin = { ...bare, id: 'id-twin' };
    const { text, counts } = await exported('terraform', [
      [full, bare],
      [uploaded, twin],
    ]);
    expect(text).toBe(`import {
  to = cloudflare_custom_hostname.shop_acme_com
  id = "${zoneId}/id-full"
}

resource "cloudflare_custom_hostname" "shop_acme_com" {
  zone_id              = "${zoneId}"
  hostname             = "shop.acme.com"
  custom_origin_server = "eu.saas.com"
  custom_origin_sni    = "sni.saas.com"
  custom_metadata      = {
    plan  = "=pro, \\"x\\""
    seats = "3"
    flags = "{\\"beta\\":true}"
  }
  ssl                  = {
    method                = "txt"
    type                  = "dv"
    certificate_authority = "google"
    bundle_method         = "ubiquitous"
    wildcard              = true
    settings              = {
      min_tls_version = "1.2"
      http2           = "on"
      tls_1_3         = "off"
      early_hints     = "on"
    }
  }
}

import {
  to = cloudflare_custom_hostname.blog_acme_com
  id = "${zoneId}/id-bare"
}

resource "cloudflare_custom_hostname" "blog_acme_com" {
  zone_id  = "${zoneId}"
  hostname = "blog.acme.com"
}

import {
  to = cloudflare_custom_hostname.wildcard_acme_com
  id = "${zoneId}/id-up"
}

resource "cloudflare_custom_hostname" "wildcard_acme_com" {
  zone_id  = "${zoneId}"
  hostname = "*.acme.com"
}

import {
  to = cloudflare_custom_hostname.blog_acme_com_2
  id = "${zoneId}/id-twin"
}

resource "cloudflare_custom_hostname" "blog_acme_com_2" {
  zone_id  = "${zoneId}"
  hostname = "blog.acme.com"
}

`);
    expect(counts).toEqual([2, 2]);
    const noSettings = { ...bare, ssl: { method: 'http' } };
    expect((await exported('terraform', [[noSettings]])).text).toContain(
      '  ssl      = {\n    method = "http"\n  }\n}\n',
    );
  });
});
