import { type CustomHostname, hasCustomCertificate } from '../../../model/hostnames/hostname.ts';
import { type HclFields, type HclNames, hclLines, hclString } from '../../../text/fleet/hcl.ts';

const resourceType = 'cloudflare_custom_hostname';

/**
 * A custom hostname as a block of Terraform that imports it, and one that describes it (the provider's version 5). An
 * uploaded certificate is left out: its key is nowhere to be read.
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

/** The provider takes texts only. */
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
