import type {
  CertificateAuthority,
  CertificateStatus,
  HostnameStatus,
  ValidationMethod,
} from '../hostnames/hostname.ts';
import type { ModuleKind } from '../workers/worker.ts';
import type { ZonePlan } from '../zones/plan.ts';

/**
 * The data to load into a sandbox. Every field is optional. The JSON Schema of a seed is `docs/schema/seed.json`. A time is an RFC 3339
 * time, or an offset from the time of loading, such as `-41d` or `+90m`.
 */
export interface Seed extends SeedData {
  /** Path or URL of the schema, for editors. */
  readonly $schema?: string;
  /** Version of the seed format (default: 1). */
  readonly version?: 1;
  /** The first account is the sandbox's own account, which also owns the data outside of `accounts`. */
  readonly accounts?: readonly SeedAccount[];
  /** The DNS of customers, with the same fields as in `sandbox dns set`. */
  readonly dns?: readonly SeedDns[];
}

/** The data of one account. */
export interface SeedData {
  readonly namespaces?: readonly SeedNamespace[];
  readonly buckets?: readonly SeedBucket[];
  readonly workers?: readonly SeedWorker[];
  readonly zones?: readonly SeedZone[];
  readonly hostnames?: readonly SeedHostname[];
  /** The clock, certificate authorities and other settings, as written by `sandbox snapshot save`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** An account and its data. The account's `settings` contain only the settings of its buckets and workers. */
export interface SeedAccount extends SeedData {
  readonly name: string;
  /** The account's id: 32 lower-case hex digits (default: a new id). The sandbox's own account keeps its existing id. */
  readonly id?: string;
}

export interface SeedNamespace {
  readonly title: string;
  /** The namespace's id: 32 lower-case hex digits (default: a new id). */
  readonly id?: string;
  /** The jurisdiction: `eu`, `us` or `fedramp`. */
  readonly jurisdiction?: string;
  readonly keys?: readonly SeedKey[];
}

export interface SeedKey {
  readonly key: string;
  readonly value: string;
  /** Whether the value is in base64, for bytes that are not text. */
  readonly base64?: boolean;
  /** Any JSON value, up to 1,024 bytes. */
  readonly metadata?: unknown;
  /** The expiry, in UNIX seconds or as a time. A key that has expired is not written. */
  readonly expiration?: number | string;
  /** Seconds after loading until the key expires. */
  readonly expiration_ttl?: number;
}

export interface SeedBucket {
  readonly name: string;
  readonly location?: string;
  readonly storage_class?: string;
  /** The jurisdiction: `eu`, `us`, `fedramp` or `fedramp-high`. */
  readonly jurisdiction?: string;
  /** When the bucket was created. */
  readonly created?: string;
  readonly objects?: readonly SeedObject[];
}

export interface SeedObject {
  readonly key: string;
  readonly body: string;
  /** Whether the body is in base64. */
  readonly base64?: boolean;
  readonly http_metadata?: {
    readonly contentType?: string;
    readonly contentDisposition?: string;
    readonly contentEncoding?: string;
    readonly contentLanguage?: string;
    readonly cacheControl?: string;
    /** A time, as described at `Seed`. */
    readonly cacheExpiry?: string;
  };
  readonly custom_metadata?: Readonly<Record<string, string>>;
  /** The storage class (default: the storage class of the bucket). */
  readonly storage_class?: string;
  /** The checksum that an S3 API client sent, in base64. */
  readonly checksum?: {
    readonly algorithm: 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256';
    readonly type: 'FULL_OBJECT' | 'COMPOSITE';
    readonly value: string;
  };
  /** MD5 of the customer-provided key (SSE-C), in base64. */
  readonly ssec_key_md5?: string;
  /** When the object was uploaded. */
  readonly uploaded?: string;
}

/** A worker. Either `code` (a single ES module) or `modules` contains its code. */
export interface SeedWorker {
  readonly name: string;
  readonly code?: string;
  readonly modules?: readonly {
    readonly name: string;
    readonly kind: ModuleKind;
    readonly content: string;
    readonly base64?: boolean;
  }[];
  readonly format?: 'modules' | 'script';
  /** Name of the module to run (default: the first module). */
  readonly entry?: string;
  readonly compatibility_date?: string;
  readonly compatibility_flags?: readonly string[];
  readonly bindings?: readonly SeedBinding[];
  /** Whether the worker has its own hostname (default: true). */
  readonly routed?: boolean;
}

/** `namespace` is the title or id of a namespace. */
export type SeedBinding =
  | { readonly type: 'plain_text' | 'secret_text'; readonly name: string; readonly text: string }
  | { readonly type: 'json'; readonly name: string; readonly json: unknown }
  | { readonly type: 'kv_namespace'; readonly name: string; readonly namespace: string }
  | {
      readonly type: 'r2_bucket';
      readonly name: string;
      readonly bucket_name: string;
      readonly jurisdiction?: string;
    };

/** A zone, whose dates are times as described at `Seed`. */
export interface SeedZone {
  /** The name of the zone. `saas.sandbox` is the sandbox's own zone, which always exists. */
  readonly name: string;
  readonly id?: string;
  readonly created?: string;
  /** 16 lower-case hex digits that identify the zone in targets of delegated validation. */
  readonly delegation?: string;
  readonly hold?: {
    readonly hold: boolean;
    readonly include_subdomains?: boolean;
    readonly hold_after?: string;
  };
  /** A name that has a record in the zone. */
  readonly fallback_origin?: string;
  readonly fallback_created?: string;
  readonly fallback_updated?: string;
  readonly fallback_failed?: boolean;
  readonly plan?: ZonePlan;
  readonly vanity_name_servers?: readonly string[];
  /** The values of settings by id. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** When settings were last changed, by id. */
  readonly settings_modified?: Readonly<Record<string, string>>;
  readonly records?: readonly SeedRecord[];
}

/** A DNS record. The name is absolute or relative to the zone; `@` is the zone itself. */
export interface SeedRecord {
  readonly type: string;
  readonly name: string;
  readonly content?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly priority?: number;
  /** Time to live in seconds; 1 is automatic. */
  readonly ttl?: number;
  readonly proxied?: boolean;
  readonly comment?: string | null;
  readonly tags?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly created?: string;
  readonly modified?: string;
}

export interface SeedDns {
  readonly name: string;
  /** A record type, or a failure: SERVFAIL, REFUSED, TIMEOUT, NXDOMAIN or BOGUS. */
  readonly type: string;
  readonly contents: readonly string[];
  readonly ttl?: number;
}

/**
 * A custom hostname. A status is kept until a DNS change, a call or one of the hostname's dates changes it. Without a status, the hostname
 * behaves like a new hostname that was created at `created_at`. For an active hostname, its DNS and a fallback origin are also created.
 */
export interface SeedHostname {
  readonly hostname: string;
  /** Name of the hostname's zone (default: the sandbox's own zone). */
  readonly zone?: string;
  readonly status?: HostnameStatus;
  readonly created_at?: string;
  /** When the hostname entered Moved. The hostname is deleted seven days later. */
  readonly moved_at?: string;
  readonly verification_errors?: readonly string[];
  readonly custom_origin_server?: string;
  readonly custom_origin_sni?: string;
  readonly custom_metadata?: Readonly<Record<string, unknown>>;
  /** The certificate (default: HTTP validation); null if the hostname has no certificate. */
  readonly ssl?: SeedCertificate | null;
  /** The complete state of a hostname in a sandbox, as written by `sandbox snapshot save`. This state replaces the other fields. */
  readonly kept?: SavedHostname;
}

/** The fields of a saved hostname that are checked when it is loaded. Other fields are used unchanged. Times are in milliseconds. */
export interface SavedHostname {
  readonly state: {
    readonly record: { readonly id: string; readonly hostname: string; readonly status: HostnameStatus };
    readonly track: {
      readonly attempts: number;
      readonly nextCheckAt: number;
      readonly everPointedHere: boolean;
    };
    readonly seed: string;
    readonly delegation: string;
  };
  readonly activatedAt?: number;
  readonly keyed?: { readonly certificate: string; readonly privateKey: string };
}

/** A hostname's certificate, whose dates are times as described at `Seed`. */
export interface SeedCertificate {
  readonly status?: CertificateStatus;
  readonly method?: ValidationMethod;
  readonly certificate_authority?: CertificateAuthority;
  readonly wildcard?: boolean;
  /** Whether to use the provider's Common Name, for hostnames longer than 64 characters. */
  readonly branding?: boolean;
  readonly bundle_method?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly uploaded_on?: string;
  readonly expires_on?: string;
  /** Makes the edge present a certificate outside its validity period, regardless of the record. */
  readonly validity?: 'expired' | 'not_yet_valid';
  readonly validation_errors?: readonly string[];
}

/** The number of items of each kind in a seed. */
export type SeedCounts = Readonly<Record<string, number>>;
