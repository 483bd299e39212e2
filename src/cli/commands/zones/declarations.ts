import { declare } from '../../parsing/declaration.ts';
import { undoFlags, zoneFlags } from '../../parsing/flags.ts';

/** Those that can be set. */
const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA'] as const;

export const zoneList = declare({
  words: 'zone list',
  about: 'List the zones that the credentials reach',
  effect: 'read',
  needs: 'account',
  arguments: {},
  flags: {},
  examples: [['zone list', 'name, id and status; --zone takes the name']],
});

export const recordList = declare({
  words: 'zone record list',
  about: "List a zone's own DNS records",
  effect: 'read',
  needs: 'zone',
  arguments: {
    NAME: { about: 'Only this name: www, www.saas.com, or @ for the zone itself', optional: true },
  },
  flags: {
    ...zoneFlags,
    type: { kind: 'text', placeholder: 'TYPE', about: 'Only records of this type', completes: recordTypes },
  },
  examples: [
    ['zone record list', 'as in a zone file, and whether each is proxied'],
    ['zone record list @ --type caa', 'who may issue certificates for the zone'],
  ],
});

export const recordSet = declare({
  words: 'zone record set',
  about: 'See to it that a name of the zone has these DNS records',
  effect: 'write',
  loss: {
    names: 'records of NAME and TYPE',
    keeps: 'by default',
    asks: 'changing the origin of custom hostnames',
  },
  needs: 'zone',
  arguments: {
    NAME: { about: 'Name in the zone: www, www.saas.com, or @ for the zone itself' },
    TYPE: { about: 'A, AAAA, CNAME, TXT or CAA', completes: recordTypes },
    CONTENT: { about: 'Address, target, text, or flags, tag and value of CAA', many: true },
  },
  flags: {
    ...zoneFlags,
    proxied: { kind: 'boolean', about: 'Visitors reach it through the edge' },
    'dns-only': { kind: 'boolean', about: 'Visitors reach it directly' },
    ttl: { kind: 'number', placeholder: 'SECONDS', about: 'How long an answer may be kept; 1 is automatic' },
    add: { kind: 'boolean', about: 'Beside the A or AAAA records that it has, in place of none' },
    ...undoFlags,
  },
  examples: [
    ['zone record set origin A 192.0.2.10 --proxied', 'the record of a fallback origin'],
    ['zone record set customers CNAME origin.saas.com --proxied', 'the name to which customers point'],
    ['zone record set @ CAA 0 issue pki.goog', 'let one more authority issue certificates'],
  ],
  notes: [
    'An A, AAAA or CNAME record that says something else is changed, and where several do it asks which. TXT and CAA records ' +
      'are added beside the others. What is there already stays as it is.',
  ],
});

export const recordDelete = declare({
  words: 'zone record delete',
  about: "Delete a zone's own DNS records",
  effect: 'destroy',
  loss: { keeps: 'by default', asks: 'deleting records' },
  needs: 'zone',
  arguments: {
    NAME: { about: 'Name in the zone, or @ for the zone itself' },
    TYPE: { about: 'Type of the records', completes: recordTypes },
    CONTENT: { about: 'Only the record with this content', optional: true },
  },
  flags: { ...zoneFlags, ...undoFlags },
  examples: [['zone record delete old CNAME', 'asks, then deletes it']],
});

export const holdGet = declare({
  words: 'zone hold get',
  about: 'Show whether a zone is held',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: zoneFlags,
  examples: [['zone hold get --zone acme.com', 'whether the zone is held, and with it its subdomains']],
});

export const holdSet = declare({
  words: 'zone hold set',
  about: 'Hold a zone, so that nobody else can use its names',
  effect: 'write',
  loss: { names: 'the extent of the hold' },
  needs: 'zone',
  arguments: {},
  flags: {
    ...zoneFlags,
    'include-subdomains': {
      kind: 'boolean',
      about: 'Also prevent subdomains: no custom hostname below the zone can be verified anywhere',
    },
  },
  examples: [['zone hold set --zone acme.com --include-subdomains', 'nobody else gets a name of the zone']],
});

export const holdRelease = declare({
  words: 'zone hold release',
  about: 'Release the hold of a zone, wholly or over its subdomains',
  effect: 'write',
  loss: { asks: 'releasing the hold' },
  needs: 'zone',
  arguments: {},
  flags: {
    ...zoneFlags,
    'subdomains-only': { kind: 'boolean', about: 'Keep the zone held and release its subdomains alone' },
    for: { kind: 'text', placeholder: 'DURATION', about: 'Hold it again after this long: 1h, 7d' },
  },
  examples: [
    ['zone hold release --zone acme.com --subdomains-only', 'enough for a custom hostname below the zone'],
    ['zone hold release --zone acme.com --for 1h', 'the hold comes back by itself'],
  ],
  notes: ['Afterwards a blocked custom hostname needs: edgectl hostname refresh.'],
});
