import { keyForm } from '../../../model/instructions/link-key.ts';
import { dnsProviders } from '../../../model/instructions/providers.ts';
import { templateForm } from '../../../model/instructions/template.ts';
import { confirmFlag, limitFlag } from '../../delete-limit.ts';
import { declare } from '../../parsing/declaration.ts';
import { forceFlag, undoFlags, zoneFlags } from '../../parsing/flags.ts';
import {
  createFlags,
  diagnoseFlags,
  filterFlags,
  fleetFlags,
  getFlags,
  lookFlags,
  manyArguments,
  manyFlags,
  timeoutFlag,
  watchFlags,
  wishFlags,
} from './flags.ts';

export const hostnameList = declare({
  words: 'hostname list',
  about: 'List the custom hostnames of a zone, with their states',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: {
    ...zoneFlags,
    ...filterFlags,
    limit: { kind: 'number', placeholder: 'N', about: 'Stop after this many' },
    'all-pages': { kind: 'boolean', about: 'Follow all pages, as it does anyway' },
  },
  examples: [
    ['hostname list', 'a table, and how many are in each status'],
    ['hostname list --expires-within 14d', 'certificates that expire soon, or have expired'],
    ['hostname list --status moved --json', 'a JSON array of records, their fields named as in the API'],
    ['hostname list --contains acme --certificate-status pending_validation', 'filters combine'],
  ],
});

export const hostnameGet = declare({
  words: 'hostname get',
  about: 'Show a custom hostname, what its customer has to set, and who acts next',
  effect: 'read',
  needs: 'zone',
  arguments: { HOSTNAME: { about: 'Hostname, or id of the custom hostname', completes: 'hostname' } },
  flags: getFlags,
  examples: [
    ['hostname get shop.acme.com', 'DNS records to set, who acts, status and certificate'],
    ['hostname get shop.acme.com --json', "the platform's record alone, its fields named as in the API"],
  ],
  notes: [
    'Without --json it diagnoses the hostname: DNS and the edge are asked, as for hostname instructions; with --no-probe only DNS.',
  ],
});

export const hostnameCreate = declare({
  words: 'hostname create',
  about: 'Create a custom hostname, or many from a file',
  effect: 'write',
  loss: {},
  needs: 'zone',
  arguments: { HOSTNAME: { about: "The customer's hostname; or --file", optional: true } },
  flags: createFlags,
  examples: [
    ['hostname create shop.acme.com', 'validated over HTTP once its CNAME leads here'],
    ['hostname create shop.acme.com --method txt --ca google --min-tls 1.2 --wait', 'and wait for it'],
    ['hostname create a-very-long-name…acme.com --branding', 'for more than 64 characters'],
    ['hostname create --file customers.csv', 'many, paced below the limit of 15 a minute'],
  ],
  notes: [
    'A file is CSV (with a heading line, or one hostname a line), NDJSON or a JSON array. Columns: hostname, method, ca, branding, min_tls, wildcard, origin, origin_sni, metadata (JSON), metadata.<name>. Flags hold for every line that does not say otherwise. Every line is checked before the first one is sent.',
  ],
});

/** On edit --metadata says what is to be set. */
const { metadata: _, ...withoutMetadata } = manyFlags;

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

export const hostnameWatch = declare({
  words: 'hostname watch',
  about: 'Watch a custom hostname until it is in service or has failed, or all for changes',
  effect: 'read',
  needs: 'zone',
  arguments: {
    HOSTNAME: {
      about: 'Hostname, or id of the custom hostname; or --all',
      completes: 'hostname',
      optional: true,
    },
  },
  flags: { ...zoneFlags, timeout: timeoutFlag, ...watchFlags },
  examples: [
    ['hostname watch shop.acme.com', 'each change, until it is in service (exit 0) or has failed (exit 7)'],
    ['hostname watch shop.acme.com --timeout 10m -q', 'for scripts'],
    ['hostname watch --all --webhook https://hooks.saas.com/edge --metrics 9464', 'as a service'],
    ['hostname watch --all --status moved --exec ./tell-customer', 'a program for each that leaves or comes'],
    ['hostname watch --all --once', 'from cron: what has changed since the last time'],
  ],
  notes: [
    'With --all the first reading is what changes are compared with. What was seen and what is still to be delivered is kept, so that a restart neither loses nor repeats an event; one that is killed in the midst of a delivery is delivered again with the same id. A delivery is tried six times within half a minute, then with the next reading, always in order.',
    'A webhook is a POST of the event as JSON. Edgectl-Signature is sha256= and the HMAC-SHA256 of "<Edgectl-Timestamp>.<body>" in hex, under EDGECTL_WEBHOOK_SECRET; Edgectl-Event is the id of the event. Everything but 2xx is tried again.',
    'Variables of a program: EDGECTL_EVENT_ID, _TYPE (appeared, changed, gone), _HOSTNAME, _HOSTNAME_ID, _ZONE_ID, _STATUS, _CERTIFICATE, _KIND, _WHO. Credentials are not among them.',
  ],
});

export const hostnameQuota = declare({
  words: 'hostname quota',
  about: 'Show how many custom hostnames the zone may hold, and holds',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: zoneFlags,
  examples: [['hostname quota', 'how many custom hostnames the zone may hold, and holds']],
});

export const hostnameDiagnose = declare({
  words: 'hostname diagnose',
  about: 'Say why custom hostnames do not work, who must act, and how',
  effect: 'read',
  loss: { asks: 'carrying out fixes with --fix' },
  needs: 'zone',
  arguments: {
    HOSTNAME: {
      about: "Customers' hostnames; or --all, --status, --file",
      completes: 'hostname',
      many: true,
      optional: true,
    },
  },
  flags: diagnoseFlags,
  examples: [
    ['hostname diagnose shop.acme.com', 'cause, evidence, who must act, and the remedy ready to paste'],
    ['hostname diagnose --status moved --fix', 'and carry out what is ours to do'],
    ['hostname diagnose --all --json', 'every custom hostname of the zone, as JSON'],
    ['hostname diagnose --all --json --resume', 'the same after Ctrl-C: only what is left is looked at'],
    ['hostname diagnose shop.acme.com --resolver 1.1.1.1 --no-probe', 'ask this DNS server, and no edge'],
  ],
  notes: [
    'Exit code: 0 no fault, 7 a fault, 1 not to be decided because a needed fact is not known. Without --fix nothing is changed.',
    'In Moved a hostname is deleted after 7 days. The platform does not tell since when, so days left are counted from when edgectl first saw it there: at most so many.',
  ],
});

export const hostnameForecast = declare({
  words: 'hostname forecast',
  about: 'Say which certificates renew when, and which will not go through',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: {
    ...fleetFlags,
    days: { kind: 'number', placeholder: 'N', about: 'How far to look ahead; 90 when left out' },
    file: { kind: 'path', placeholder: 'FILE', about: 'From what export-world wrote, without any network' },
  },
  examples: [
    ['hostname forecast', 'by date: what renews, what fails, why, and who must act'],
    ['hostname forecast --days 30 --json', 'the same as a JSON array, with remedies'],
    ['hostname forecast --resume', 'after Ctrl-C: only what is left is looked at, and all of it is told'],
    ['hostname forecast --file world.ndjson', 'from an export, without any network'],
  ],
  notes: [
    'Exit code: 0, or 7 where something will not be renewed; 1 where a needed fact is not known. It tells what comes as DNS, CAA, delegation and origin stand now: ' +
      'a certificate is renewed 30 days before its end, over HTTP through the edge for all but wildcards, else by delegated or by new TXT tokens.',
  ],
});

export const hostnameInstructions = declare({
  words: 'hostname instructions',
  about: 'Write what a customer has to enter at their DNS provider, ready to be sent',
  effect: 'read',
  needs: 'zone',
  arguments: { HOSTNAME: { about: 'Hostname, or id of the custom hostname', completes: 'hostname' } },
  flags: {
    ...lookFlags,
    for: {
      kind: 'text',
      placeholder: 'PROVIDER',
      about: `In the words of this provider's panel: ${dnsProviders.map(({ id }) => id).join(', ')}; recognised by its name servers when left out`,
      completes: dnsProviders.map(({ id }) => id),
    },
    format: {
      kind: 'text',
      placeholder: 'FORMAT',
      about: 'txt, md, html (one page without anything from outside) or json; txt when left out',
      completes: ['txt', 'md', 'html', 'json'],
    },
    'domain-connect': {
      kind: 'text',
      placeholder: templateForm,
      about:
        'Your template of Domain Connect, for a link by which the provider enters the records itself; the setting domain-connect when left out',
    },
    'domain-connect-key': {
      kind: 'text',
      placeholder: keyForm,
      about:
        "Sign the link: the label of the public key's TXT record below the template's syncPubKeyDomain, and the file of the private key; the setting domain-connect-key when left out",
    },
  },
  examples: [
    ['hostname instructions shop.acme.com', 'whose turn it is, and each record field by field'],
    ['hostname instructions shop.acme.com --format html > shop.html', 'a page to be mailed or served'],
    [
      'hostname instructions shop.acme.com --for route53 --format md',
      'for a panel that could not be recognised',
    ],
    [
      'hostname instructions shop.acme.com --domain-connect example.com/hostnames',
      'with a link, where the provider supports Domain Connect and knows the template',
    ],
    [
      'hostname instructions shop.acme.com --domain-connect example.com/hostnames --domain-connect-key _dck1=key.pem',
      'with a signed link, for a template with syncPubKeyDomain',
    ],
  ],
  notes: [
    'Names are told without the zone, because most panels append it, and without a dot at their end. What is in place already is said so. Exit code 1 where a needed fact is not known, so that something may be missing.',
  ],
});

export const hostnameExportWorld = declare({
  words: 'hostname export-world',
  about: 'Write all hostnames with their DNS and CAA as they are now to a file',
  effect: 'read',
  needs: 'zone',
  arguments: {
    FILE: { about: 'NDJSON, one hostname a line; .gz compresses, - is standard output', kind: 'path' },
  },
  flags: { ...fleetFlags, ...forceFlag },
  examples: [
    ['hostname export-world world.ndjson', 'for hostname forecast --file, where there is no network'],
  ],
});

export const hostnameImportWorld = declare({
  words: 'hostname import-world',
  about: "Load what export-world wrote into a sandbox, to see a zone's future there",
  effect: 'write',
  loss: { names: 'hostnames of the same names in the sandbox' },
  needs: 'account',
  arguments: { FILE: { about: 'What hostname export-world wrote; - is standard input', kind: 'path' } },
  flags: {},
  examples: [
    [
      'hostname import-world world.ndjson --sandbox',
      'the hostnames with their dates and tokens, their DNS and CAA',
    ],
    ['sandbox clock advance 90d', 'and the forecast comes true'],
  ],
  notes: [
    'The zone is made where the sandbox has none of that name, and its hostnames of the same names are replaced. The clock of the sandbox goes ahead to when the file was written. Certificates are shown with their dates; their keys are nowhere to be had, so the edge serves each over TLS from its next renewal on.',
  ],
});

export const fallbackOriginGet = declare({
  words: 'hostname fallback-origin get',
  about: 'Show where requests go that have no origin of their own',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: zoneFlags,
  examples: [['hostname fallback-origin get', 'its name and status; exit 3 when none is set']],
});

export const fallbackOriginSet = declare({
  words: 'hostname fallback-origin set',
  about: 'Set where requests go that have no origin of their own',
  effect: 'write',
  loss: {
    names: 'the fallback origin',
    keeps: 'by default',
    asks: 'moving the requests of custom hostnames',
  },
  needs: 'zone',
  arguments: { ORIGIN: { about: 'Name of the zone with a proxied A, AAAA or CNAME record' } },
  flags: { ...zoneFlags, ...undoFlags },
  examples: [
    ['hostname fallback-origin set origin.saas.com', 'where requests go that have no origin of their own'],
  ],
});

export const fallbackOriginDelete = declare({
  words: 'hostname fallback-origin delete',
  about: 'Remove the fallback origin',
  effect: 'destroy',
  loss: { keeps: 'by default', asks: 'removing the fallback origin' },
  needs: 'zone',
  arguments: {},
  flags: { ...zoneFlags, ...undoFlags },
  examples: [['hostname fallback-origin delete', 'asks, then removes it']],
});
