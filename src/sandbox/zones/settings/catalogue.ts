import { isObject } from '../../../model/json-object.ts';
import type { ZonePlan } from '../../../model/zones/plan.ts';

/** A function that returns whether a setting accepts a value. */
type Accepts = (value: unknown) => boolean;

/** Returns a check that accepts one of these values. */
function acceptOne(...values: readonly (string | number)[]): Accepts {
  return (value) => values.some((one) => one === value);
}

/** Returns a check that accepts a whole number within bounds. */
function acceptWhole(min: number, max: number): Accepts {
  return (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

const onOff: Accepts = acceptOne('on', 'off');

const text: Accepts = (value) => typeof value === 'string';

const flag: Accepts = (value) => typeof value === 'boolean';

function acceptList(rule: Accepts): Accepts {
  return (value) => Array.isArray(value) && value.every(rule);
}

/** Returns a check that accepts an object with these optional fields. */
function fields(rules: Readonly<Record<string, Accepts>>): Accepts {
  return (value) =>
    isObject(value) &&
    Object.entries(value).every(([name, field]) => Object.hasOwn(rules, name) && rules[name]?.(field));
}

/** A setting that every zone has. Source: SDK zones/settings, and the platform's list of settings by plan. */
export interface ZoneSetting {
  readonly defaultValue: unknown;
  readonly accepts: Accepts;
  /** The lowest plan whose zones can change the setting; `nobody` if the setting is read-only (default: Free). */
  readonly from?: ZonePlan | 'nobody';
  /** The field of the setting's value in answers and requests (default: `value`). */
  readonly field?: 'enabled';
}

const off: ZoneSetting = { defaultValue: 'off', accepts: onOff };
const on: ZoneSetting = { defaultValue: 'on', accepts: onOff };
const seconds = {
  challenge: [300, 900, 1800, 2700, 3600, 7200, 10_800, 14_400, 28_800, 57_600, 86_400, 604_800],
  edge: [30, 60, 300, 1200, 1800, 3600, 7200, 10_800, 14_400, 18_000, 28_800, 43_200, 57_600, 72_000, 86_400],
} as const;
const days = (...counts: readonly number[]) => counts.map((count) => count * 86_400);
const megabytes = [...Array.from({ length: 17 }, (_, at) => 100 + 25 * at), ...steps(1000, 5000, 500)];

function steps(from: number, to: number, by: number): number[] {
  return Array.from({ length: (to - from) / by + 1 }, (_, at) => from + by * at);
}

const transport = fields({
  enabled: flag,
  include_subdomains: flag,
  max_age: acceptWhole(0, 2_147_483_647),
  nosniff: flag,
  preload: flag,
});

const wordpress: Accepts = fields({
  cache_by_device_type: flag,
  cf: flag,
  enabled: flag,
  hostnames: acceptList(text),
  wordpress: flag,
  wp_plugin: flag,
});

/** The settings of zones, by id. */
export const zoneSettings: Readonly<Record<string, ZoneSetting>> = {
  '0rtt': off,
  advanced_ddos: { ...on, from: 'nobody' },
  aegis: {
    defaultValue: { enabled: false },
    accepts: fields({ enabled: flag, pool_id: text }),
    from: 'enterprise',
  },
  always_online: off,
  always_use_https: off,
  automatic_https_rewrites: on,
  automatic_platform_optimization: {
    defaultValue: {
      cache_by_device_type: false,
      cf: false,
      enabled: false,
      hostnames: [],
      wordpress: false,
      wp_plugin: false,
    },
    accepts: wordpress,
  },
  brotli: on,
  browser_cache_ttl: { defaultValue: 14_400, accepts: acceptWhole(0, 31_536_000) },
  browser_check: on,
  cache_level: { defaultValue: 'aggressive', accepts: acceptOne('aggressive', 'basic', 'simplified') },
  challenge_ttl: { defaultValue: 1800, accepts: acceptOne(...seconds.challenge, ...days(30, 365)) },
  china_network_enabled: { ...off, from: 'enterprise' },
  ciphers: { defaultValue: [], accepts: acceptList(text), from: 'pro' },
  cname_flattening: {
    defaultValue: 'flatten_at_root',
    accepts: acceptOne('flatten_at_root', 'flatten_all'),
    from: 'pro',
  },
  content_converter: { ...off, from: 'pro' },
  development_mode: off,
  early_hints: off,
  edge_cache_ttl: { defaultValue: 7200, accepts: acceptOne(...seconds.edge, ...days(2, 3, 4, 5, 6, 7)) },
  email_obfuscation: on,
  fonts: off,
  h2_prioritization: { defaultValue: 'off', accepts: acceptOne('on', 'off', 'custom'), from: 'pro' },
  hotlink_protection: off,
  http2: { ...on, from: 'pro' },
  http3: on,
  image_resizing: { defaultValue: 'off', accepts: acceptOne('on', 'off', 'open'), from: 'business' },
  ip_geolocation: on,
  ipv6: on,
  max_upload: { defaultValue: 100, accepts: acceptOne(...megabytes), from: 'business' },
  min_tls_version: { defaultValue: '1.0', accepts: acceptOne('1.0', '1.1', '1.2', '1.3') },
  mirage: { ...off, from: 'pro' },
  nel: { defaultValue: { enabled: true }, accepts: fields({ enabled: flag }) },
  opportunistic_encryption: on,
  opportunistic_onion: on,
  orange_to_orange: { ...off, from: 'enterprise' },
  origin_error_page_pass_thru: { ...off, from: 'enterprise' },
  origin_h2_max_streams: { defaultValue: 100, accepts: acceptWhole(1, 255) },
  origin_max_http_version: { defaultValue: '2', accepts: acceptOne('1', '2') },
  polish: { defaultValue: 'off', accepts: acceptOne('off', 'lossless', 'lossy'), from: 'pro' },
  pre_render: { ...off, from: 'enterprise' },
  prefetch_preload: { ...off, from: 'enterprise' },
  privacy_pass: on,
  proxy_read_timeout: { defaultValue: 100, accepts: acceptWhole(1, 6000), from: 'enterprise' },
  pseudo_ipv4: { defaultValue: 'off', accepts: acceptOne('off', 'add_header', 'overwrite_header') },
  redirects_for_ai_training: { ...off, from: 'pro' },
  replace_insecure_js: on,
  response_buffering: { ...off, from: 'enterprise' },
  rocket_loader: off,
  search_for_agents: off,
  security_header: {
    defaultValue: {
      strict_transport_security: {
        enabled: false,
        max_age: 0,
        include_subdomains: false,
        preload: false,
        nosniff: false,
      },
    },
    accepts: fields({ strict_transport_security: transport }),
  },
  security_level: {
    defaultValue: 'medium',
    accepts: acceptOne('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
  },
  server_side_exclude: on,
  sha1_support: { ...off, from: 'enterprise' },
  sort_query_string_for_cache: { ...off, from: 'enterprise' },
  ssl: { defaultValue: 'flexible', accepts: acceptOne('off', 'flexible', 'full', 'strict') },
  ssl_recommender: { defaultValue: true, accepts: flag, field: 'enabled' },
  tls_1_2_only: off,
  tls_1_3: { defaultValue: 'on', accepts: acceptOne('on', 'off', 'zrt') },
  tls_client_auth: off,
  transformations: { defaultValue: 'off', accepts: acceptOne('on', 'off', 'open') },
  transformations_allowed_origins: { defaultValue: '', accepts: text },
  true_client_ip_header: { ...off, from: 'enterprise' },
  waf: { ...off, from: 'pro' },
  webmcp_enabled: off,
  webmcp_packs: { defaultValue: '', accepts: text },
  webp: { ...off, from: 'pro' },
  websockets: on,
};
