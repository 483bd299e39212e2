import {
  type CustomHostname,
  certificateAuthorities,
  hasCustomCertificate,
  hostnameLimits,
  minimumVersions,
  validationMethods,
} from '../hostname.ts';
import type { HostnameLine } from '../lines.ts';

/**
 * The line of a file that asks for this custom hostname: what `hostname create --file` takes, and nothing that the platform
 * alone decides. Of an uploaded certificate nothing is asked, because no authority of the platform issues it. Branding is not
 * in a record; a name that is too long for a Common Name cannot be there without it.
 */
export function lineOfRecord(record: CustomHostname): HostnameLine {
  const {
    hostname,
    custom_origin_server: origin,
    custom_origin_sni: sni,
    custom_metadata: metadata,
  } = record;
  return {
    hostname,
    ...(hasCustomCertificate(record) ? {} : certificateOf(record)),
    ...(origin !== undefined && { origin }),
    ...(sni !== undefined && { originSni: sni }),
    ...(metadata !== undefined && Object.keys(metadata).length > 0 && { metadata }),
  };
}

function certificateOf({ hostname, ssl }: CustomHostname): Omit<HostnameLine, 'hostname'> {
  if (ssl === undefined) return {};
  const method = validationMethods.find((one) => one === ssl.method);
  const authority = certificateAuthorities.find((one) => one === ssl.certificate_authority);
  const minimum = minimumVersions.find((one) => one === ssl.settings?.min_tls_version);
  return {
    ...(method !== undefined && { method }),
    ...(authority !== undefined && { authority }),
    ...(hostname.length > hostnameLimits.commonName && { branding: true }),
    ...(ssl.wildcard !== undefined && { wildcard: ssl.wildcard }),
    ...(minimum !== undefined && { minimumTls: minimum }),
  };
}
