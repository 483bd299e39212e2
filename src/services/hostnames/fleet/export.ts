import { type CustomHostname, hasCustomCertificate } from '../../../model/hostnames/hostname.ts';
import { type HostnameLine, lineOfRecord } from '../../../model/hostnames/lines.ts';
import { csvLine, withoutFormula } from '../../../text/csv.ts';
import { type HclFields, HclNames, hclLines, hclString } from '../../../text/fleet/hcl.ts';

/** Export formats for custom hostnames. */
export const hostnameExportFormats = ['csv', 'ndjson', 'json', 'terraform'] as const;

export type HostnameExportFormat = (typeof hostnameExportFormats)[number];

/** Returns the format for a file name, by its extension (default: CSV). */
export function hostnameFormatFor(file: string): HostnameExportFormat {
  const ending = /\.(ndjson|jsonl|json|tf)(?:\.gz)?$/.exec(file)?.[1];
  if (ending === 'tf') return 'terraform';
  if (ending === 'json') return 'json';
  return ending === undefined ? 'csv' : 'ndjson';
}

/** The columns of a CSV file with custom hostnames, as `create --file` reads them, with a description of each column. */
export const hostnameColumns = {
  hostname: 'Hostname',
  method: 'Validation method of the certificate: http, txt or email',
  ca: 'Certificate authority: default, google, lets_encrypt or ssl_com',
  branding: 'true for a provider-owned Common Name (for hostnames longer than 64 characters)',
  min_tls: 'Minimum TLS version: 1.0, 1.1, 1.2 or 1.3',
  wildcard: 'true if the certificate also covers the wildcard name',
  origin: 'Custom origin: a proxied record in the zone, instead of the fallback origin',
  origin_sni: 'SNI: the name sent to the origin in the TLS handshake',
  metadata: 'Metadata for workers: a JSON object; a column metadata.NAME contains one field as text',
} as const;

const columns = Object.keys(hostnameColumns) as (keyof typeof hostnameColumns)[];

/**
 * Formats custom hostnames, page by page, as a file for `hostname create --file` and `hostname reconcile`, or as Terraform blocks that
 * import the hostnames. Calls `count` with the number of hostnames of each page. `toJson` formats one hostname for JSON and NDJSON.
 */
export async function* hostnameExport(
  pages: AsyncIterable<readonly CustomHostname[]>,
  {
    zoneId,
    format,
    escapesFormulas = false,
  }: {
    readonly zoneId: string;
    readonly format: HostnameExportFormat;
    /** Whether to escape CSV cells that a spreadsheet would treat as formulas (default: false). */
    readonly escapesFormulas?: boolean;
  },
  count: (hostnames: number) => void,
  toJson: (value: unknown) => string = JSON.stringify,
): AsyncGenerator<string> {
  const names = new HclNames();
  let isFirst = true;
  if (format === 'csv') yield csvLine(columns);
  if (format === 'json') yield '[';
  for await (const page of pages) {
    const texts = page.map((record) => {
      if (format === 'terraform') return terraformBlocks(record, zoneId, names);
      const fields = toFields(lineOfRecord(record));
      if (format !== 'csv') return toJson(fields);
      const cells = columns.map((name) => formatCell(fields[name]));
      return csvLine(escapesFormulas ? cells.map(withoutFormula) : cells);
    });
    if (format === 'json') yield `${isFirst ? '\n' : ',\n'}${texts.join(',\n')}`;
    else yield format === 'ndjson' ? texts.map((text) => `${text}\n`).join('') : texts.join('');
    isFirst = false;
    count(page.length);
  }
  if (format === 'json') yield isFirst ? ']\n' : '\n]\n';
}

/** Returns the values of a line, by column name. */
function toFields(line: HostnameLine): Readonly<Record<string, unknown>> {
  const { hostname, method, authority: ca, branding, minimumTls, wildcard, origin, originSni } = line;
  const named = { hostname, method, ca, branding, min_tls: minimumTls, wildcard, origin };
  return { ...named, origin_sni: originSni, metadata: line.metadata };
}

function formatCell(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const resourceType = 'cloudflare_custom_hostname';

/**
 * Formats a custom hostname as an `import` block and a `resource` block of Terraform (version 5 of the provider). Omits an uploaded
 * certificate, because its private key cannot be read.
 */
export function terraformBlocks(record: CustomHostname, zoneId: string, names: HclNames): string {
  const name = names.take(record.hostname);
  return [
    'import {',
    `  to = ${resourceType}.${name}`,
    `  id = ${hclString(`${zoneId}/${record.id}`)}`,
    '}',
    '',
    `resource "${resourceType}" "${name}" {`,
    ...hclLines(resourceFields(record, zoneId), 1),
    '}',
    '',
    '',
  ].join('\n');
}

function resourceFields(record: CustomHostname, zoneId: string): HclFields {
  return {
    zone_id: zoneId,
    hostname: record.hostname,
    custom_origin_server: record.custom_origin_server,
    custom_origin_sni: record.custom_origin_sni,
    custom_metadata: metadataFields(record.custom_metadata),
    ssl: hasCustomCertificate(record) ? undefined : certificateFields(record),
  };
}

/** Formats all metadata values as strings, because the Terraform provider accepts only strings. */
function metadataFields(metadata: CustomHostname['custom_metadata']): HclFields | undefined {
  if (metadata === undefined) return undefined;
  const fields = Object.entries(metadata).map(([name, value]) => {
    return [name, typeof value === 'string' ? value : JSON.stringify(value)] as const;
  });
  return Object.fromEntries(fields);
}

function certificateFields({ ssl }: CustomHostname): HclFields | undefined {
  if (ssl === undefined) return undefined;
  const { min_tls_version, http2, tls_1_3, early_hints } = ssl.settings ?? {};
  return {
    method: ssl.method,
    type: ssl.type,
    certificate_authority: ssl.certificate_authority,
    bundle_method: ssl.bundle_method,
    wildcard: ssl.wildcard,
    settings: { min_tls_version, http2, tls_1_3, early_hints },
  };
}
