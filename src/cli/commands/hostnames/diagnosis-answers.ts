import { severities } from '../../../model/diagnosis/finding.ts';
import {
  anyOf,
  bool,
  count,
  list,
  map,
  nullable,
  object,
  oneOf,
  only,
  optional,
  text,
  texts,
  time,
} from '../../../model/shape.ts';
import { value } from '../../output/answer-shape.ts';
import { failure } from '../../output/talk-shape.ts';

const hostname = text('The hostname');
const responsible = ['us', 'customer', 'zone-owner', 'provider', 'nobody'] as const;
const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA'] as const;

const remedy = object({
  text: text('One or two sentences for people'),
  command: optional(texts('Arguments of edgectl; names in <> are placeholders')),
  records: optional(
    list(
      object({
        name: text('Without a trailing dot'),
        type: oneOf(recordTypes, 'Of the record'),
        value: text('In the form of a zone file; a TXT without quotes'),
        remove: optional(bool('Whether to delete it')),
      }),
      'DNS records to be set',
    ),
  ),
});

const fix = anyOf([
  object({ kind: oneOf(['refresh', 'create-exact', 'recreate-branding'], 'What --fix does') }),
  object({ kind: only('set-ca', 'What --fix does'), authority: text('Who is to issue') }),
  object({ kind: only('set-method', 'What --fix does'), method: text('Validation method') }),
  object({
    kind: only('create', 'What --fix does'),
    branding: bool("Whether the common name is the platform's"),
  }),
  object({ kind: only('set-fallback', 'What --fix does'), origin: text('The fallback origin') }),
  object({
    kind: only('dns-record', 'What --fix does'),
    id: optional(text('Of a record that is changed')),
    type: text('Of the record'),
    name: text('Of the record'),
    content: text('Of the record'),
    proxied: bool('Of the record'),
  }),
]);

const finding = object({
  id: text('Row of the table in docs/diagnosis.md'),
  severity: oneOf(severities, 'Severity, most severe first'),
  because: optional(text('Row of the finding that causes it: it is not a separate fault')),
  cause: text('One sentence'),
  evidence: texts('What was found, a line each'),
  who: oneOf(responsible, 'Who must act; us is the operator of the zone'),
  remedy,
  fix: optional(fix),
  source: optional(text('Source of the rule in the documents of the platform')),
});

const missing = list(
  object({ fact: text('What is not known'), reason: text('Why') }),
  'Needed facts that are not known',
);

const forecast = object({
  at: time('When that happens, or is decided'),
  hostname,
  id: optional(text('Id of the custom hostname')),
  status: text('Of the hostname, now'),
  certificate: text('Status of the certificate, now'),
  outcome: oneOf(['renews', 'fails', 'ends', 'gone', 'unclear', 'none'], 'What happens'),
  method: optional(oneOf(['http', 'txt', 'delegation', 'email'], 'How control is proved')),
  authority: optional(text('Who issues')),
  reason: text('One sentence'),
  who: oneOf(responsible, 'Who must act'),
  endsAt: optional(time('When the present certificate expires')),
  remedy: optional(remedy),
});

const record = object({
  type: oneOf([...recordTypes, 'ALIAS', 'ANAME'], 'Of the record'),
  name: text('Relative to the zone, as the panel of the provider wants it'),
  fullName: text('The whole name'),
  value: text('As the panel wants it'),
  ttl: count('Seconds'),
  purpose: text('What it is for'),
  state: oneOf(['missing', 'there', 'unknown', 'to-remove'], 'Its state in DNS'),
  optional: bool('Whether the hostname gets into service without it'),
  fields: map(text('What to enter'), 'By the words of the panel'),
});

export const diagnosisAnswers = {
  'hostname diagnose': value(
    object({
      zoneId: text('Id of the zone'),
      diagnoses: list(
        object({
          hostname,
          verdict: oneOf(
            ['well', 'pending', 'faulty', 'undecided'],
            'Exit code 0, 0, 7, 1; pending is not in service yet, and nobody has to act',
          ),
          who: nullable(oneOf(responsible, 'Who must act, by the most severe finding; null if unknown')),
          findings: list(finding, 'Most severe first'),
          missing,
        }),
        'One for each hostname, as they come',
      ),
      hostnames: count('How many'),
      well: count('In service, without a fault'),
      pending: count('Not in service yet, and nobody has to act'),
      faulty: count('With a fault'),
      undecided: count('About which something needed is not known'),
      causes: list(
        object({
          finding: nullable(text('Id of the finding; null where none could be named')),
          cause: text('One sentence'),
          hostnames: count('Number of hostnames for which it is the most severe'),
        }),
        'The commonest first',
      ),
      steps: optional(
        list(
          object({
            hostname: optional(text('The hostname; absent in a step for the zone')),
            step: text('In words'),
            kind: oneOf(['dns-record', 'set-fallback', 'create', 'edit', 'refresh'], 'Kind of step'),
            result: oneOf(['done', 'failed'], 'What became of it'),
            error: optional(failure),
          }),
          'With --fix: each step, in its order; the diagnoses are those after it',
        ),
      ),
    }),
  ),
  'hostname forecast': value(list(forecast, 'Certificates that renew or end within --days, the first first')),
  'hostname instructions': value(
    object({
      hostname,
      zone: optional(text("The customer's zone, if DNS shows it")),
      nameServers: texts('Of that zone'),
      provider: nullable(
        object({
          id: text('As --for takes it'),
          label: text('Its name'),
          recognised: bool('By its name servers, and not named with --for'),
        }),
      ),
      turn: oneOf(responsible, 'Whose turn it is'),
      title: text('The same in words'),
      state: text('Why, for people'),
      records: list(record, 'What the customer has to enter'),
      missing,
      notes: texts('Sentences that spare mistakes'),
      domainConnect: nullable(
        object({
          provider: text('As it calls itself'),
          link: nullable(text('By which the provider enters the records itself')),
          host: nullable(text('Where the link leads')),
          missing: nullable(text('What it takes, where there is no link')),
        }),
      ),
    }),
    'With --json or --format json; other formats are text for the customer.',
  ),
} as const;
