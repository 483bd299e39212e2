import { missingFact, recordAdvice } from '../../../model/diagnosis/finding-shape.ts';
import { forecastOutcomes, proofWays } from '../../../model/forecast/ahead.ts';
import { instructedRecordFields } from '../../../model/instructions/instructions-shape.ts';
import { responsibles, severities } from '../../../model/severity.ts';
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
const remedy = object({
  text: text('Description of the fix, in one or two sentences'),
  command: optional(texts('Arguments of edgectl; names in <> are placeholders')),
  records: optional(list(recordAdvice, 'DNS records to set')),
});

const fix = anyOf([
  object({ kind: oneOf(['refresh', 'create-exact', 'recreate-branding'], 'What --fix does') }),
  object({ kind: only('set-ca', 'What --fix does'), authority: text('Certificate authority') }),
  object({ kind: only('set-method', 'What --fix does'), method: text('Validation method') }),
  object({
    kind: only('create', 'What --fix does'),
    branding: bool('Whether the Common Name belongs to the platform'),
  }),
  object({ kind: only('set-fallback', 'What --fix does'), origin: text('The fallback origin') }),
  object({
    kind: only('dns-record', 'What --fix does'),
    id: optional(text('Id of the record to change; absent if the record is new')),
    type: text('Type of the record'),
    name: text('Full name of the record'),
    content: text('Content of the record'),
    proxied: bool('Whether the record is proxied'),
  }),
]);

const finding = object({
  id: text('Id of the finding, as in the table in docs/diagnosis.md'),
  severity: oneOf(severities, 'Severity, most severe first'),
  because: optional(
    text('Id of the finding that causes this finding, which is therefore not a separate fault'),
  ),
  cause: text('Cause, in one sentence'),
  evidence: texts('Evidence, one line each'),
  who: oneOf(responsibles, 'Who must act; us is the operator of the zone'),
  remedy,
  fix: optional(fix),
  source: optional(text("Source of the rule in the platform's documentation")),
});

const missing = list(missingFact, 'Required facts that are unknown');

const forecast = object({
  at: time('Time of the event, or time at which its result will be known'),
  hostname,
  id: optional(text('Id of the custom hostname')),
  status: text('Current status of the hostname'),
  certificate: text('Current status of the certificate'),
  outcome: oneOf(forecastOutcomes, 'What happens'),
  method: optional(oneOf(proofWays, 'Method that proves control of the hostname')),
  authority: optional(text('Certificate authority that will issue the certificate')),
  reason: text('Reason for the outcome, in one sentence'),
  who: oneOf(responsibles, 'Who must act'),
  endsAt: optional(time('When the current certificate expires')),
  remedy: optional(remedy),
});

const record = object({
  ...instructedRecordFields,
  fields: map(text('Value to enter'), "Values to enter, by field name in the provider's panel"),
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
            'Result. Exit code: 0 for well and pending, 7 for faulty, 1 for undecided. pending: the hostname is not active yet, and nobody has to act',
          ),
          who: nullable(
            oneOf(responsibles, 'Who must act, according to the most severe finding; null if unknown'),
          ),
          findings: list(finding, 'Most severe first'),
          missing,
        }),
        'One diagnosis per hostname, in order of completion',
      ),
      hostnames: count('Number of hostnames'),
      well: count('Number of active hostnames without a fault'),
      pending: count('Number of hostnames that are not active yet, but for which nobody has to act'),
      faulty: count('Number of hostnames with a fault'),
      undecided: count('Number of hostnames with an unknown required fact'),
      causes: list(
        object({
          finding: nullable(text('Id of the finding; null if none was found')),
          cause: text('Cause, in one sentence'),
          hostnames: count('Number of hostnames whose most severe finding has this id'),
        }),
        'Causes, most frequent first',
      ),
      steps: optional(
        list(
          object({
            hostname: optional(text('The hostname; absent in a step for the zone')),
            step: text('Description of the step'),
            kind: oneOf(['dns-record', 'set-fallback', 'create', 'edit', 'refresh'], 'Kind of step'),
            result: oneOf(['done', 'failed'], 'Result of the step'),
            error: optional(failure),
          }),
          'With --fix: each step, in order; the diagnoses were made after the fix',
        ),
      ),
    }),
  ),
  'hostname forecast': value(
    list(forecast, 'Certificates that renew or expire within --days, earliest first'),
  ),
  'hostname instructions': value(
    object({
      hostname,
      zone: optional(text("The customer's zone, if it was found in DNS")),
      nameServers: texts("Name servers of the customer's zone"),
      provider: nullable(
        object({
          id: text('Id of the provider, as accepted by --for'),
          label: text('Name of the provider'),
          recognised: bool('Whether the provider was detected from the name servers (false: set with --for)'),
        }),
      ),
      turn: oneOf(responsibles, 'Who must act'),
      title: text('Heading of the instructions: who must act'),
      state: text('Who must act next and why, in one or two sentences'),
      records: list(record, 'Records that the customer must enter'),
      missing,
      notes: texts('Notes that prevent mistakes'),
      domainConnect: nullable(
        object({
          provider: text('Name of the provider'),
          link: nullable(text('Link that lets the provider set the records')),
          host: nullable(text('Host of the link')),
          missing: nullable(text('What is missing for a link; null if there is a link')),
        }),
      ),
    }),
    'JSON only with --json or --format json; other formats are text for the customer.',
  ),
} as const;
