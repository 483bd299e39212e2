import { declare } from '../../parsing/declaration.ts';
import { undoFlags, zoneFlags } from '../../parsing/flags.ts';

/** Record types that can be set. */
const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA'] as const;

export const zoneList = declare({
  words: 'zone list',
  about: 'List the zones that the credentials can access',
  effect: 'read',
  needs: 'account',
  arguments: {},
  flags: {},
  examples: [['zone list', 'list names, ids and statuses; --zone takes a name']],
});

export const recordList = declare({
  words: 'zone record list',
  about: "List a zone's DNS records",
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
    ['zone record list', 'list all records, and whether they are proxied'],
    ['zone record list @ --type caa', 'list the CAA records: who may issue certificates'],
  ],
});

export const recordSet = declare({
  words: 'zone record set',
  about: "Set a name's DNS records",
  effect: 'write',
  loss: {
    names: 'the record of NAME and TYPE',
    keeps: 'by default',
    asks: 'changing the origin of custom hostnames',
  },
  needs: 'zone',
  arguments: {
    NAME: { about: 'Name in the zone: www, www.saas.com, or @ for the zone itself' },
    TYPE: { about: 'A, AAAA, CNAME, TXT or CAA', completes: recordTypes },
    CONTENT: { about: 'Address, target, text, or the flags, tag and value of a CAA record', many: true },
  },
  flags: {
    ...zoneFlags,
    proxied: { kind: 'boolean', about: 'Proxied: traffic goes through the edge' },
    'dns-only': { kind: 'boolean', about: 'DNS only: traffic goes directly to the target' },
    ttl: {
      kind: 'number',
      placeholder: 'SECONDS',
      about: 'How long resolvers can cache the record, in seconds (1: automatic)',
    },
    add: { kind: 'boolean', about: 'Add to the existing A or AAAA records instead of replacing one' },
    ...undoFlags,
  },
  examples: [
    ['zone record set origin A 192.0.2.10 --proxied', 'set the record of a fallback origin'],
    ['zone record set customers CNAME origin.saas.com --proxied', 'set the name that customers point to'],
    ['zone record set @ CAA 0 issue pki.goog', 'allow another certificate authority to issue'],
  ],
  notes: [
    'For A, AAAA and CNAME, an existing record with other content is changed. If it is unclear which of several records to change, nothing is changed: use --add, or delete the others first. For TXT and CAA, the record is added to the existing ones. If a record already has this content, only its proxy status and TTL can change.',
  ],
});

export const recordDelete = declare({
  words: 'zone record delete',
  about: "Delete a name's DNS records",
  effect: 'destroy',
  loss: { keeps: 'by default', asks: 'deleting records' },
  needs: 'zone',
  arguments: {
    NAME: { about: 'Name in the zone, or @ for the zone itself' },
    TYPE: { about: 'Record type', completes: recordTypes },
    CONTENT: { about: 'Only the record with this content', optional: true },
  },
  flags: { ...zoneFlags, ...undoFlags },
  examples: [['zone record delete old CNAME', 'delete the record, after confirmation']],
});

export const holdGet = declare({
  words: 'zone hold get',
  about: 'Show whether a zone is held',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: zoneFlags,
  examples: [['zone hold get --zone acme.com', 'show whether the zone and its subdomains are held']],
});

export const holdSet = declare({
  words: 'zone hold set',
  about: 'Hold a zone to block its use in other accounts',
  effect: 'write',
  loss: { names: 'the current hold settings' },
  needs: 'zone',
  arguments: {},
  flags: {
    ...zoneFlags,
    'include-subdomains': {
      kind: 'boolean',
      about: 'Also hold the subdomains, so no custom hostname below the zone can be verified',
    },
  },
  examples: [['zone hold set --zone acme.com --include-subdomains', 'hold the zone and all its subdomains']],
});

export const holdRelease = declare({
  words: 'zone hold release',
  about: "Release a zone's hold, or only the hold on its subdomains",
  effect: 'write',
  loss: { asks: 'releasing the hold' },
  needs: 'zone',
  arguments: {},
  flags: {
    ...zoneFlags,
    'subdomains-only': { kind: 'boolean', about: 'Release only the subdomains; keep the zone held' },
    for: {
      kind: 'text',
      placeholder: 'DURATION',
      about: 'Hold the zone again after this time: 1h, 7d (default: never)',
    },
  },
  examples: [
    ['zone hold release --zone acme.com --subdomains-only', 'allow custom hostnames below the zone'],
    ['zone hold release --zone acme.com --for 1h', 'release the hold for an hour'],
  ],
  notes: ['To activate a blocked custom hostname afterwards, run: edgectl hostname refresh'],
});
