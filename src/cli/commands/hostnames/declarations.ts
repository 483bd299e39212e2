import { keyForm } from '../../../model/instructions/link-key.ts';
import { dnsProviders } from '../../../model/instructions/providers.ts';
import { templateForm } from '../../../model/instructions/template.ts';
import { confirmFlag, limitFlag } from '../../delete-limit.ts';
import { declare } from '../../parsing/declaration.ts';
import { forceFlag, undoFlags, zoneFlags } from '../../parsing/flags.ts';
import {
  attributeFlags,
  createFlags,
  diagnoseFlags,
  diagnosisRunFlags,
  filterFlags,
  fleetFlags,
  getFlags,
  manyArguments,
  manyFlags,
  timeoutFlag,
  watchFlags,
} from './flags.ts';

export const hostnameList = declare({
  words: 'hostname list',
  about: 'List the custom hostnames in a zone with their statuses',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: {
    ...zoneFlags,
    ...filterFlags,
    limit: { kind: 'number', placeholder: 'N', about: 'Maximum number of hostnames (default: all)' },
    'all-pages': { kind: 'boolean', about: 'No effect: all pages are always read' },
  },
  examples: [
    ['hostname list', 'list all hostnames, with the number in each status'],
    ['hostname list --expires-within 14d', 'list certificates that expire soon or have expired'],
    ['hostname list --status moved --json', "print a JSON array of records with the API's field names"],
    ['hostname list --contains acme --certificate-status pending_validation', 'combine filters'],
  ],
});

export const hostnameGet = declare({
  words: 'hostname get',
  about: 'Show a custom hostname, its DNS records, and who acts next',
  effect: 'read',
  needs: 'zone',
  arguments: { HOSTNAME: { about: 'Hostname or id of the custom hostname', completes: 'hostname' } },
  flags: getFlags,
  examples: [
    ['hostname get shop.acme.com', 'show status, certificate, DNS records to set, and who acts'],
    ['hostname get shop.acme.com --json', "print only the platform's record, with the API's field names"],
  ],
  notes: [
    'Without --json, the command also diagnoses the hostname: it queries DNS and probes the edge. With --no-probe, it only queries DNS.',
  ],
});

export const hostnameCreate = declare({
  words: 'hostname create',
  about: 'Create a custom hostname, or many from a file',
  effect: 'write',
  loss: {},
  needs: 'zone',
  arguments: { HOSTNAME: { about: "The customer's hostname; or use --file", optional: true } },
  flags: createFlags,
  examples: [
    [
      'hostname create shop.acme.com',
      'create a hostname; it is validated over HTTP once its CNAME points here',
    ],
    [
      'hostname create shop.acme.com --method txt --ca google --min-tls 1.2 --wait',
      'create a hostname and wait until it is active',
    ],
    ['hostname create a-very-long-name…acme.com --branding', 'create a hostname of more than 64 characters'],
    ['hostname create --file customers.csv', 'create many hostnames, below the limit of 15 per minute'],
  ],
  notes: [
    'A file is CSV (with a header line, or one hostname per line), NDJSON or a JSON array. Columns: hostname, method, ca, branding, min_tls, wildcard, origin, origin_sni, metadata (JSON), metadata.<name>. Flags set the defaults for all lines, and a line can override the flags. All lines are checked before the first one is sent.',
  ],
});

/** In `hostname edit`, --metadata sets metadata instead of filtering by it. */
const { metadata: _, ...withoutMetadata } = manyFlags;

export const hostnameEdit = declare({
  words: 'hostname edit',
  about: 'Change the certificate, TLS, origin or metadata of hostnames',
  effect: 'write',
  loss: {
    names: 'the settings of hostnames named on the command line',
    keeps: 'by default',
    asks: 'changing hostnames that a filter or a file selects',
  },
  needs: 'zone',
  arguments: manyArguments,
  flags: {
    ...zoneFlags,
    ...attributeFlags,
    ...withoutMetadata,
    'with-metadata': manyFlags.metadata,
    'no-wildcard': { kind: 'boolean', about: 'Exclude *.<hostname> from the certificate' },
    ...undoFlags,
  },
  examples: [
    ['hostname edit shop.acme.com --ca default', 'let the platform choose the certificate authority'],
    ['hostname edit shop.acme.com --method txt', 'validate the certificate with TXT records'],
    [
      `hostname edit shop.acme.com --origin eu.saas.com --metadata '{"plan":"pro"}'`,
      'change the origin and metadata; the certificate stays the same',
    ],
    [
      'hostname edit --status active --with-metadata plan=pro --min-tls 1.3',
      'change all matching hostnames, after one confirmation',
    ],
    ['hostname edit --file wanted.csv', 'change each hostname to the values in its line'],
  ],
  notes: [
    'Hostnames that already have the wanted values are skipped. A file has the same columns as for hostname create --file. Flags set the defaults for all lines, and a line can override the flags.',
    'A change to the certificate also sends the unchanged method, type and TLS settings, because the platform would otherwise reset them.',
    'Undo saves the old settings of a single hostname. If several hostnames change, nothing is saved.',
  ],
});

export const hostnameRefresh = declare({
  words: 'hostname refresh',
  about: 'Restart the validation of custom hostnames',
  effect: 'write',
  loss: {
    names: 'the validation of hostnames named on the command line',
    keeps: 'by default',
    asks: 'restarting the validation of hostnames that a filter or a file selects',
  },
  needs: 'zone',
  arguments: manyArguments,
  flags: { ...zoneFlags, ...manyFlags, ...undoFlags },
  examples: [
    ['hostname refresh shop.acme.com', 'restart validation, for example of a hostname in Moved'],
    [
      'hostname refresh --certificate-status validation_timed_out',
      'restart the validation of all matching hostnames, after one confirmation',
    ],
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
    ['hostname delete shop.acme.com', 'delete a hostname and its certificate, after confirmation'],
    ['hostname delete shop.acme.com --yes', 'delete without confirmation, in a script'],
    [
      'hostname delete --status moved --older-than 30d',
      'show all matching hostnames, ask you to type their number, then delete them',
    ],
    [
      'hostname delete --file gone.csv --limit 50 --yes',
      'delete without confirmation; delete nothing if there are more than 50 hostnames',
    ],
    [
      'hostname delete --status moved --confirm 9f86d081884c',
      'delete only the hostnames that a dry run showed',
    ],
  ],
  notes: [
    'Undo saves the settings of a single deleted hostname, so that the hostname can be created again. If several hostnames are deleted, nothing is saved.',
    'A hostname that is created again gets new tokens, which the customer must add to DNS.',
  ],
});

export const hostnameWatch = declare({
  words: 'hostname watch',
  about: 'Wait until a hostname is active, or watch all hostnames for changes',
  effect: 'read',
  needs: 'zone',
  arguments: {
    HOSTNAME: {
      about: 'Hostname or id of the custom hostname; or use --all',
      completes: 'hostname',
      optional: true,
    },
  },
  flags: { ...zoneFlags, timeout: timeoutFlag, ...watchFlags },
  examples: [
    [
      'hostname watch shop.acme.com',
      'print each change until the hostname is active (exit 0) or has failed (exit 7)',
    ],
    ['hostname watch shop.acme.com --timeout 10m -q', 'wait for up to 10 minutes, in a script'],
    ['hostname watch --all --webhook https://hooks.saas.com/edge --metrics 9464', 'run as a service'],
    [
      'hostname watch --all --status moved --exec ./tell-customer',
      'run a program when a hostname enters or leaves Moved',
    ],
    ['hostname watch --all --once', 'print changes since the last run, for cron'],
  ],
  notes: [
    'With --all, changes are relative to the first reading. The last reading and undelivered events are saved, so a restart neither loses nor repeats an event. If the program is killed during a delivery, the event is delivered again with the same id. A delivery is tried up to six times within half a minute, and again after the next reading. Events are delivered in order.',
    'A webhook request is a POST with the event as JSON. The header Edgectl-Signature contains sha256= followed by the hex HMAC-SHA256 of "<Edgectl-Timestamp>.<body>", with EDGECTL_WEBHOOK_SECRET as the key. The header Edgectl-Event contains the event id. If the response status is not 2xx, the request is retried.',
    'The program run by --exec gets the variables EDGECTL_EVENT_ID, _TYPE (appeared, changed, gone), _HOSTNAME, _HOSTNAME_ID, _ZONE_ID, _STATUS, _CERTIFICATE, _KIND, _WHO. The program gets no credentials.',
  ],
});

export const hostnameQuota = declare({
  words: 'hostname quota',
  about: 'Show the quota for custom hostnames, and how many are in use',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: zoneFlags,
  examples: [['hostname quota', 'show the quota and the number in use']],
});

export const hostnameDiagnose = declare({
  words: 'hostname diagnose',
  about: 'Diagnose custom hostnames: cause, who must act, and the fix',
  effect: 'read',
  loss: { asks: 'applying fixes with --fix' },
  needs: 'zone',
  arguments: {
    HOSTNAME: {
      about: "Customers' hostnames; or use --all, --status or --file",
      completes: 'hostname',
      many: true,
      optional: true,
    },
  },
  flags: diagnoseFlags,
  examples: [
    ['hostname diagnose shop.acme.com', 'show the cause, the evidence, who must act, and a fix to paste'],
    [
      'hostname diagnose --status moved --fix',
      'diagnose all hostnames in Moved and apply the fixes on your side',
    ],
    ['hostname diagnose --all --json', 'diagnose all custom hostnames in the zone'],
    ['hostname diagnose --all --json --resume', 'resume after Ctrl-C with the hostnames not yet checked'],
    [
      'hostname diagnose shop.acme.com --resolver 1.1.1.1 --no-probe',
      'use this DNS server, and do not probe the edge',
    ],
  ],
  notes: [
    'Exit codes: 0 (no fault found), 7 (fault found), 1 (result unclear because a required fact is unknown). Without --fix, nothing is changed.',
    'The platform deletes a hostname after 7 days in Moved. The platform does not report when the hostname moved, so edgectl counts from the time when it first saw this status. The days shown are therefore a maximum.',
  ],
});

export const hostnameForecast = declare({
  words: 'hostname forecast',
  about: 'Forecast which certificates will renew, and which will not',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: {
    ...fleetFlags,
    days: { kind: 'number', placeholder: 'N', about: 'Number of days to look ahead (default: 90)' },
    file: {
      kind: 'path',
      placeholder: 'FILE',
      about: 'Read facts from a hostname export-world file instead of the network',
    },
  },
  examples: [
    ['hostname forecast', 'list renewals and failures by date, with causes and who must act'],
    ['hostname forecast --days 30 --json', 'print the next 30 days as a JSON array, with fixes'],
    ['hostname forecast --resume', 'resume after Ctrl-C with the hostnames not yet checked'],
    ['hostname forecast --file world.ndjson', 'forecast from an export, without a network'],
  ],
  notes: [
    'Exit codes: 0 (all certificates will renew), 7 (a certificate will not renew), 1 (a required fact is unknown). The forecast assumes that DNS, CAA, delegation and origin do not change. ' +
      'Certificates renew 30 days before they expire: over HTTP through the edge, or, for wildcards, with delegated or new TXT tokens.',
  ],
});

export const hostnameInstructions = declare({
  words: 'hostname instructions',
  about: 'Write DNS instructions for a customer',
  effect: 'read',
  needs: 'zone',
  arguments: { HOSTNAME: { about: 'Hostname or id of the custom hostname', completes: 'hostname' } },
  flags: {
    ...diagnosisRunFlags,
    for: {
      kind: 'text',
      placeholder: 'PROVIDER',
      about: `Use the field names of this provider: ${dnsProviders.map(({ id }) => id).join(', ')} (default: detected from the name servers)`,
      completes: dnsProviders.map(({ id }) => id),
    },
    format: {
      kind: 'text',
      placeholder: 'FORMAT',
      about: 'txt, md, html (one self-contained page) or json (default: txt)',
      completes: ['txt', 'md', 'html', 'json'],
    },
    'domain-connect': {
      kind: 'text',
      placeholder: templateForm,
      about:
        'Your Domain Connect template, for a link that lets the provider set the records (default: the setting domain-connect)',
    },
    'domain-connect-key': {
      kind: 'text',
      placeholder: keyForm,
      about:
        "Key that signs the link: the label of the public key's TXT record below syncPubKeyDomain, and the file that contains the private key (default: the setting domain-connect-key)",
    },
  },
  examples: [
    ['hostname instructions shop.acme.com', 'show who must act, and each record field by field'],
    ['hostname instructions shop.acme.com --format html > shop.html', 'write a web page to send or publish'],
    [
      'hostname instructions shop.acme.com --for route53 --format md',
      'name the DNS provider if it is not detected',
    ],
    [
      'hostname instructions shop.acme.com --domain-connect example.com/hostnames',
      'add a link, if the provider supports Domain Connect and the template',
    ],
    [
      'hostname instructions shop.acme.com --domain-connect example.com/hostnames --domain-connect-key _dck1=key.pem',
      'add a signed link, for a template with syncPubKeyDomain',
    ],
  ],
  notes: [
    'Record names have no trailing dot, and omit the zone because most providers append it. Records that are already set are marked. If a required fact is unknown, the instructions may be incomplete and the exit code is 1.',
  ],
});

export const hostnameExportWorld = declare({
  words: 'hostname export-world',
  about: 'Export all hostnames with their current DNS and CAA records',
  effect: 'read',
  needs: 'zone',
  arguments: {
    FILE: {
      about: 'NDJSON file, one hostname per line; compressed if its name ends in .gz; - is standard output',
      kind: 'path',
    },
  },
  flags: { ...fleetFlags, ...forceFlag },
  examples: [
    ['hostname export-world world.ndjson', 'export for hostname forecast --file, which needs no network'],
  ],
});

export const hostnameImportWorld = declare({
  words: 'hostname import-world',
  about: 'Import an export-world file into a sandbox',
  effect: 'write',
  loss: { names: 'sandbox hostnames with the same names' },
  needs: 'account',
  arguments: { FILE: { about: 'File written by hostname export-world; - is standard input', kind: 'path' } },
  flags: {},
  examples: [
    ['hostname import-world world.ndjson --sandbox', 'import hostnames with dates, tokens, DNS and CAA'],
    ['sandbox clock advance 90d', 'then advance the clock to check the forecast'],
  ],
  notes: [
    'If the sandbox does not contain the zone, the zone is created. Existing hostnames with the same names are overwritten. The sandbox clock advances to the time at which the file was written. Private keys cannot be exported, so the edge can serve a certificate only after the next renewal of that certificate.',
  ],
});

export const fallbackOriginGet = declare({
  words: 'hostname fallback-origin get',
  about: 'Show the fallback origin',
  effect: 'read',
  needs: 'zone',
  arguments: {},
  flags: zoneFlags,
  examples: [
    ['hostname fallback-origin get', "show the origin's name and status; exit 3 if no origin is set"],
  ],
});

export const fallbackOriginSet = declare({
  words: 'hostname fallback-origin set',
  about: 'Set the fallback origin',
  effect: 'write',
  loss: {
    names: 'the fallback origin',
    keeps: 'by default',
    asks: 'changing the origin of custom hostnames',
  },
  needs: 'zone',
  arguments: { ORIGIN: { about: 'Name in the zone with a proxied A, AAAA or CNAME record' } },
  flags: { ...zoneFlags, ...undoFlags },
  examples: [
    ['hostname fallback-origin set origin.saas.com', 'set the origin of hostnames without a custom origin'],
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
  examples: [['hostname fallback-origin delete', 'remove the fallback origin, after confirmation']],
});
