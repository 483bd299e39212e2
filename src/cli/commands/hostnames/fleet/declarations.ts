import { confirmFlag, limitFlag } from '../../../delete-limit.ts';
import { declare } from '../../../parsing/declaration.ts';
import { exportFlag, undoFlags, zoneFlags } from '../../../parsing/flags.ts';
import { filterFlags, manyArguments, manyFlags, rateFlag, wishFlags } from '../flags.ts';

/** On edit --metadata says what is to be set. */
const { metadata: _, ...withoutMetadata } = manyFlags;

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

export const hostnameEdit = declare({
  words: 'hostname edit',
  about: 'Change custom hostnames: authority, validation, settings, origin, metadata',
  effect: 'write',
  loss: { names: 'the settings of one hostname', keeps: 'by default', asks: 'changing many hostnames' },
  needs: 'zone',
  arguments: manyArguments,
  flags: {
    ...zoneFlags,
    ...wishFlags,
    ...withoutMetadata,
    'with-metadata': manyFlags.metadata,
    'no-wildcard': { kind: 'boolean', about: 'The certificate covers the hostname alone' },
    ...undoFlags,
  },
  examples: [
    ['hostname edit shop.acme.com --ca default', 'leave the choice of the authority to the platform'],
    ['hostname edit shop.acme.com --method txt', 'validate the certificate by TXT records'],
    [
      `hostname edit shop.acme.com --origin eu.saas.com --metadata '{"plan":"pro"}'`,
      'the certificate stays as it is',
    ],
    [
      'hostname edit --status active --with-metadata plan=pro --min-tls 1.3',
      'all of these, after one question',
    ],
    ['hostname edit --file wanted.csv', 'each to what its line says'],
  ],
  notes: [
    'Of many, those that are so already are left; a file has the columns of hostname create --file, and a line says more exactly what a flag says for all.',
    'Method, type and all TLS settings are sent along as they are: a change of the certificate would reset them.',
    'Of one hostname undo keeps the settings as they were; of many nothing is kept.',
  ],
});

export const hostnameRefresh = declare({
  words: 'hostname refresh',
  about: 'Restart the validation of custom hostnames',
  effect: 'write',
  loss: {
    names: 'the validation of the hostnames',
    keeps: 'by default',
    asks: 'restarting many that a filter or a file chooses',
  },
  needs: 'zone',
  arguments: manyArguments,
  flags: { ...zoneFlags, ...manyFlags, ...undoFlags },
  examples: [
    ['hostname refresh shop.acme.com', 'restart validation; a hostname in Moved comes back so'],
    ['hostname refresh --certificate-status validation_timed_out', 'all of these, after one question'],
  ],
});

export const hostnameDelete = declare({
  words: 'hostname delete',
  about: 'Delete custom hostnames and their certificates',
  effect: 'destroy',
  loss: { keeps: 'by default', asks: 'deleting hostnames and their certificates' },
  needs: 'zone',
  arguments: manyArguments,
  flags: {
    ...zoneFlags,
    ...manyFlags,
    ...limitFlag,
    ...confirmFlag,
    ...undoFlags,
  },
  examples: [
    ['hostname delete shop.acme.com', 'asks, then deletes it with its certificate'],
    ['hostname delete shop.acme.com --yes', 'for scripts'],
    ['hostname delete --status moved --older-than 30d', 'all of these, after their number is typed'],
    ['hostname delete --file gone.csv --limit 50 --yes', 'for scripts: no more than these'],
    ['hostname delete --status moved --confirm 9f86d081884c', 'only those that a dry run showed'],
  ],
  notes: [
    'Of one hostname undo keeps what is needed to make it anew; of many nothing is kept.',
    'Created again, the hostname gets new tokens, which the customer has to set anew.',
  ],
});
