// A jurisdiction restricts where data is stored. The jurisdiction is set when a bucket or namespace is created, and never changes.

/** Jurisdictions of namespaces. Source: the provider's API reference, "Create a Namespace". */
export const namespaceJurisdictions: readonly string[] = ['eu', 'us', 'fedramp'];

/** Jurisdictions of buckets. Source: the provider's page "Data location" (R2), and its changelog of 2026-08-17. */
export const bucketJurisdictions: readonly string[] = ['eu', 'us', 'fedramp'];

/** Jurisdictions that the API accepts for buckets. Source: SDK r2/buckets, `cf-r2-jurisdiction`. */
export const acceptedJurisdictions: readonly string[] = [...bucketJurisdictions, 'fedramp-high'];

/** The platform's value for buckets without a jurisdiction. */
export const noJurisdiction = 'default';
