import { declare } from '../../parsing/declaration.ts';
import { zoneFlags } from '../../parsing/flags.ts';

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
  asks: true,
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
