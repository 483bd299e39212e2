import { limitFlag } from '../../../delete-limit.ts';
import { declare } from '../../../parsing/declaration.ts';
import { exportFlag, zoneFlags } from '../../../parsing/flags.ts';
import { filterFlags, rateFlag } from '../flags.ts';

export const hostnameExport = declare({
  words: 'hostname export',
  about: 'Export custom hostnames to a file, or as Terraform imports',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  surplus: ['output'],
  flags: {
    ...zoneFlags,
    ...filterFlags,
    ...exportFlag,
    format: {
      kind: 'text',
      placeholder: 'csv|ndjson|json|terraform',
      about: 'Format (default: from the file name; for standard output, csv, or json with --json)',
    },
    'escape-formulas': {
      kind: 'boolean',
      about: 'Write an apostrophe before CSV cells that a spreadsheet would read as a formula',
    },
  },
  examples: [
    ['hostname export -o wanted.csv', 'export all hostnames, for a spreadsheet or a database'],
    ['hostname reconcile --file wanted.csv --plan', 'show how the zone differs from the export'],
    [
      'hostname export --format terraform -o hostnames.tf',
      'write an import block and a resource for each hostname',
    ],
    ['hostname export --status active --format ndjson', 'export a selection, one JSON object per line'],
  ],
  notes: [
    'hostname create --file and hostname reconcile --file read CSV, NDJSON and JSON exports. Columns: hostname, method, ca, branding, min_tls, wildcard, origin, origin_sni, metadata (JSON). Tokens and statuses are omitted, because they differ between accounts. Uploaded certificates are omitted, because their private keys cannot be read.',
    'To export the DNS and CAA records of each hostname too, for a forecast without a network, use hostname export-world.',
  ],
});

export const hostnameReconcile = declare({
  words: 'hostname reconcile',
  about: "Reconcile a zone's custom hostnames with a file, via a plan",
  effect: 'destroy',
  loss: { asks: 'applying the plan' },
  needs: 'zone',
  arguments: {},
  flags: {
    ...zoneFlags,
    file: {
      kind: 'path',
      placeholder: 'FILE',
      about: 'Wanted hostnames: CSV, NDJSON or a JSON array; - is standard input',
    },
    plan: { kind: 'boolean', about: 'Print the plan and save it under its hash, without changing anything' },
    apply: {
      kind: 'text',
      placeholder: 'HASH',
      about: 'Apply this plan; refuse if the zone or the file has changed since',
    },
    prune: { kind: 'boolean', about: 'Delete hostnames that are not in the file' },
    ...limitFlag,
    rate: rateFlag,
  },
  examples: [
    [
      'hostname reconcile --file wanted.csv --plan',
      'show what would be created, changed and restarted, and why',
    ],
    ['hostname reconcile --apply 3f9c1d20a4b7', 'apply exactly this plan, if nothing has changed'],
    ['hostname reconcile --file wanted.csv --prune --limit 50', 'plan, ask, then apply; delete up to 50'],
    [
      'hostname reconcile --file wanted.csv --prune --limit 50 --yes',
      'apply without confirmation, in a script',
    ],
  ],
  notes: [
    'The file has the same columns as for hostname create --file; only hostname is required. Attributes that a line omits are not compared. Steps: create, change (attributes differ), refresh (attributes match, but the hostname is in Moved, timed out or expired, and its validation was not restarted within the last day), delete (not in the file, with --prune), leave (no action). Deletes come last.',
    'To finish after Ctrl-C, a kill or a failure, run the same command again, or --apply the same plan. A plan is saved for a day. The plan contains hostnames and hashes, but no metadata.',
  ],
});
