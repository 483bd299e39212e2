import { limitFlag } from '../../../delete-limit.ts';
import { declare } from '../../../parsing/declaration.ts';
import { exportFlag, zoneFlags } from '../../../parsing/flags.ts';
import { filterFlags, rateFlag } from '../flags.ts';

export const hostnameExport = declare({
  words: 'hostname export',
  about: 'Write custom hostnames as a file that create and reconcile take back, or as Terraform imports',
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
      about: 'csv unless --json or the name of the file says otherwise: .ndjson, .json, .tf',
    },
    'escape-formulas': {
      kind: 'boolean',
      about: "Put ' before CSV cells that a spreadsheet would read as a formula (default: cells are exact)",
    },
  },
  examples: [
    ['hostname export -o wanted.csv', 'all of the zone, for a spreadsheet or a database'],
    ['hostname reconcile --file wanted.csv --plan', 'and back: what would make the zone the same again'],
    ['hostname export --format terraform -o hostnames.tf', 'import blocks, and a resource for each'],
    ['hostname export --status active --format ndjson', 'a part, one JSON object a line'],
  ],
  notes: [
    'Columns: hostname, method, ca, branding, min_tls, wildcard, origin, origin_sni, metadata (JSON). Tokens and states are not among them: what an account decides is not asked of another. An uploaded certificate is left out, because its key is nowhere to be read.',
    'hostname export-world is another thing: what DNS and CAA say of each hostname, for a forecast without network.',
  ],
});

export const hostnameReconcile = declare({
  words: 'hostname reconcile',
  about: 'Make the custom hostnames of a zone those that a file names, after a plan',
  effect: 'destroy',
  loss: { asks: 'carrying out the plan' },
  needs: 'zone',
  arguments: {},
  flags: {
    ...zoneFlags,
    file: {
      kind: 'path',
      placeholder: 'FILE',
      about: 'The hostnames that are wanted: CSV, NDJSON or a JSON array; - is standard input',
    },
    plan: { kind: 'boolean', about: 'Print the plan, and keep it under its hash; nothing is changed' },
    apply: {
      kind: 'text',
      placeholder: 'HASH',
      about: 'Carry out this plan, and refuse where the zone or the file has changed since',
    },
    prune: { kind: 'boolean', about: 'Delete hostnames that the file does not name' },
    ...limitFlag,
    rate: rateFlag,
  },
  examples: [
    ['hostname reconcile --file wanted.csv --plan', 'what would be created, changed and restarted, and why'],
    ['hostname reconcile --apply 3f9c1d20a4b7', 'exactly that, if nothing has changed meanwhile'],
    ['hostname reconcile --file wanted.csv --prune --limit 50', 'plans, asks, and deletes 50 at most'],
    ['hostname reconcile --file wanted.csv --prune --limit 50 --yes', 'for scripts'],
  ],
  notes: [
    'The columns are those of hostname create --file; only hostname is needed. An attribute that a line leaves out may be anything. Steps: create, change (what differs), refresh (as wanted, but in Moved or out of time), delete (not in the file, with --prune), leave. Deletes come last.',
    'A second run does what is left: after Ctrl-C, a kill or a failure run the same again, or --apply the same plan. A plan is kept for a day, and holds hostnames and hashes, no metadata.',
  ],
});
