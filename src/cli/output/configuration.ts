/** Fields of a configuration file that edgectl reads, as docs and help show them. */
export const configurationKeys: readonly (readonly [string, string])[] = [
  ['name', 'Name of the worker, and the first part of the titles of its namespaces'],
  ['main', 'Entry point of the worker, from the file'],
  ['compatibility_date', 'Date whose behaviour the worker has, as 2026-11-01'],
  ['compatibility_flags', 'List of flags of the runtime'],
  ['workers_dev', 'false keeps the worker from a hostname of its own'],
  ['route, routes', 'Addresses at which the worker is visited'],
  ['account_id', 'Account to act on, where neither flag, environment nor a typed profile says one'],
  ['zone_id', 'Zone to act on, likewise'],
  ['kv_namespaces', 'List of binding, id, preview_id'],
  [
    'objstore_buckets, r2_buckets',
    'List of binding, bucket_name, preview_bucket_name; both names mean the same',
  ],
  ['vars', 'Plain values that the worker finds on env'],
  ['env', 'Sections of the same fields, each by its name'],
];
