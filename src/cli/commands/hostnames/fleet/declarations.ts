import { declare } from '../../../parsing/declaration.ts';
import { zoneFlags } from '../../../parsing/flags.ts';
import { filterFlags } from '../flags.ts';

export const hostnameExport = declare({
  words: 'hostname export',
  about: 'Write custom hostnames as a file that create and reconcile take back, or as Terraform imports',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: {
    ...zoneFlags,
    ...filterFlags,
    output: {
      kind: 'path',
      short: 'o',
      placeholder: 'PATH',
      about:
        'Write into this file, as a whole or not at all; compressed where it ends in .gz; - is standard output',
    },
    format: {
      kind: 'text',
      placeholder: 'csv|ndjson|json|terraform',
      about: 'csv unless --json or the name of the file says otherwise: .ndjson, .json, .tf',
      completes: ['csv', 'ndjson', 'json', 'terraform'],
    },
  },
  examples: [
    ['hostname export -o wanted.csv', 'all of the zone, for a spreadsheet or a database'],
    ['hostname create --file wanted.csv', 'in another zone'],
    ['hostname export --format terraform -o hostnames.tf', 'import blocks, and a resource for each'],
    ['hostname export --status active --format ndjson', 'a part, one JSON object a line'],
  ],
  notes: [
    'Columns: hostname, method, ca, branding, min_tls, wildcard, origin, origin_sni, metadata (JSON). Tokens and states are not among them: what an account decides is not asked of another. An uploaded certificate is left out, because its key is nowhere to be read.',
    'hostname export-world is another thing: what DNS and CAA say of each hostname, for a forecast without network.',
  ],
});
