import { isDeepStrictEqual } from 'node:util';
import {
  type AuthorityChoice,
  type CustomHostname,
  certificateAuthorities,
  hasCustomCertificate,
  validationMethods,
} from '../../model/hostnames/hostname.ts';
import type { KeptSettings } from '../../model/undo/entry.ts';
import type { HostnameWishes, NewHostname } from '../hostnames/body.ts';

const authorities: readonly AuthorityChoice[] = ['default', ...certificateAuthorities];

/** The settings of a hostname, as far as the platform tells them and takes them back. */
export function settingsOf(zoneId: string, record: CustomHostname): KeptSettings {
  const { hostname, ssl, custom_origin_server: origin, custom_origin_sni: originSni } = record;
  const { method, certificate_authority: authority, wildcard, settings } = ssl ?? {};
  const { custom_metadata } = record;
  return {
    kind: 'hostname',
    zoneId,
    hostname,
    ...(method !== undefined && { method }),
    ...(authority !== undefined && authority !== '' && { authority }),
    ...(wildcard !== undefined && { wildcard }),
    ...(settings !== undefined && { settings: { ...settings } }),
    ...(hasCustomCertificate(record) && { uploaded: true }),
    ...(origin !== undefined && { origin }),
    ...(originSni !== undefined && { originSni }),
    ...(custom_metadata !== undefined && { metadata: { ...custom_metadata } }),
  };
}

/** The settings that a change leaves behind: what it leaves to the platform is not among them. */
export function settingsAfter(kept: KeptSettings, wanted: HostnameWishes): KeptSettings {
  const { authority: before, uploaded, ...same } = kept;
  const { method, authority, wildcard, minimumTls, origin, originSni, metadata } = wanted;
  const settings = {
    ...(wanted.settings ?? same.settings),
    ...(minimumTls !== undefined && { min_tls_version: minimumTls }),
  };
  const chosen = authority === undefined ? before : authority === 'default' ? undefined : authority;
  return {
    ...same,
    ...(chosen !== undefined && { authority: chosen }),
    ...(uploaded === true && method === undefined && { uploaded }),
    ...(method !== undefined && { method }),
    ...(wildcard !== undefined && { wildcard }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(origin !== undefined && { origin }),
    ...(originSni !== undefined && { originSni }),
    ...(metadata !== undefined && { metadata: { ...metadata } }),
  };
}

/** The changes with which a hostname has the kept settings again. An uploaded certificate cannot come back. */
export function wishesBack(kept: KeptSettings, record: CustomHostname): HostnameWishes {
  const { origin = '', originSni = '', metadata = {} } = kept;
  const now = record.custom_metadata ?? {};
  return {
    ...(kept.uploaded === true ? {} : certificateBack(kept, record)),
    ...(origin !== (record.custom_origin_server ?? '') && { origin }),
    ...(originSni !== (record.custom_origin_sni ?? '') && { originSni }),
    ...(!isDeepStrictEqual(metadata, { ...now }) && { metadata }),
  };
}

function certificateBack(kept: KeptSettings, { ssl }: CustomHostname): HostnameWishes {
  const { method, authority, wildcard, settings } = wishesAnew(kept);
  const isOther = !isDeepStrictEqual({ ...settings }, { ...ssl?.settings });
  return {
    ...(method !== undefined && method !== ssl?.method && { method }),
    ...(authority !== undefined && authority !== ssl?.certificate_authority && { authority }),
    ...(wildcard !== undefined && wildcard !== (ssl?.wildcard ?? false) && { wildcard }),
    ...(isOther && { settings: settings ?? {} }),
  };
}

/** The hostname that has the kept settings, to be created anew. */
export function wishesAnew(kept: KeptSettings): NewHostname {
  const { hostname, method, authority, wildcard, minimumTls, origin, originSni, metadata } = kept;
  const old = minimumTls === undefined ? undefined : { min_tls_version: minimumTls };
  return {
    hostname,
    method: validationMethods.find((one) => one === method),
    authority: authorities.find((one) => one === authority),
    wildcard,
    settings: kept.settings ?? old,
    origin,
    originSni,
    metadata,
  };
}
