import { certificateMessages, dayMilliseconds } from '../hostnames/hostname.ts';
import { type Facts, ifKnown, unknownReason } from './facts.ts';
import type { Finding, Rule } from './finding.ts';
import { asksToAct, sortFindings } from './order.ts';
import { caaRules } from './rules/caa.ts';
import { certificateRules } from './rules/certificate.ts';
import { lifecycleRules } from './rules/lifecycle.ts';
import { ownershipRules } from './rules/ownership.ts';
import { prerequisiteRules } from './rules/prerequisites.ts';
import { exactRecord, inService, isServedWithoutFault, isZoneApex, readRouting } from './rules/reading.ts';
import { renewalRules } from './rules/renewal.ts';
import { routingRules } from './rules/routing.ts';
import { servingRules } from './rules/serving.ts';

/** The whole decision table, in order. */
export const rules: readonly Rule[] = [
  ...lifecycleRules,
  ...prerequisiteRules,
  ...routingRules,
  ...ownershipRules,
  ...caaRules,
  ...certificateRules,
  ...renewalRules,
  ...servingRules,
];

/** A required fact that is unknown, and the reason. A diagnosis without the fact cannot rule out a fault. */
export interface MissingFact {
  readonly fact: string;
  readonly reason: string;
}

/** 0: nothing is broken. 1: undecided. 7: something is broken (README, "Exit codes"). */
export type DiagnosisExit = 0 | 1 | 7;

/**
 * `well`: the hostname is active, and nothing is broken. `pending`: not active yet, and no action is needed. `faulty`: something is
 * broken, or someone must act before the hostname is active. `undecided`: a required fact is unknown.
 */
export type DiagnosisVerdict = 'well' | 'pending' | 'faulty' | 'undecided';

const exits: Readonly<Record<DiagnosisVerdict, DiagnosisExit>> = {
  well: 0,
  pending: 0,
  faulty: 7,
  undecided: 1,
};

export interface Diagnosis {
  readonly hostname: string;
  /** The findings that block everything else come first; each finding is followed by its consequences. */
  readonly findings: readonly Finding[];
  /** The first finding, if any. */
  readonly headline?: Finding;
  readonly missing: readonly MissingFact[];
  readonly verdict: DiagnosisVerdict;
  readonly exit: DiagnosisExit;
}

/** Diagnoses a hostname from facts alone. */
export function diagnose(facts: Facts): Diagnosis {
  const found = rules.flatMap(({ id, judge }): readonly Finding[] => {
    const judgement = judge(facts);
    return judgement === undefined ? [] : [{ id, ...judgement }];
  });
  const judged = dropRedundantForecasts([...found, ...unexplained(facts, found)]);
  const findings = sortFindings(facts, judged, isZoneApex(facts));
  const [headline] = findings;
  const missing = missingFacts(facts);
  const verdict = decide(facts, findings, missing);
  return {
    hostname: facts.hostname,
    findings,
    missing,
    verdict,
    exit: exits[verdict],
    ...(headline !== undefined && { headline }),
  };
}

/** Drops the renewal forecast if another finding requires action, because the other finding also explains why the renewal would fail. */
function dropRedundantForecasts(findings: readonly Finding[]): readonly Finding[] {
  const isToDo = ({ id, severity, who }: Finding): boolean =>
    !renewalIds.has(id) && severity !== 'info' && who !== 'nobody';
  return findings.some(isToDo) ? findings.filter(({ id }) => !renewalIds.has(id)) : findings;
}

const renewalIds: ReadonlySet<string> = new Set(renewalRules.map(({ id }) => id));

/**
 * Decides the verdict. A fault makes the hostname faulty, even if other facts are unknown. A hostname that is not active also counts as
 * faulty, unless no action is needed. If there is no fault, an unknown required fact leaves the verdict undecided.
 */
export function decide(
  facts: Facts,
  findings: readonly Finding[],
  missing: readonly MissingFact[],
): DiagnosisVerdict {
  const roots = findings.filter(({ because }) => because === undefined);
  if (roots.some(({ severity }) => severity === 'critical' || severity === 'error')) return 'faulty';
  const [first] = roots;
  if (!isServedWithoutFault(facts) && first !== undefined && asksToAct(first)) return 'faulty';
  if (missing.length > 0) return 'undecided';
  return isServedWithoutFault(facts) ? 'well' : 'pending';
}

/**
 * Returns a finding for a hostname that the platform does not report as active, if no rule explains why. The platform's report
 * overrides the other facts. The first advice is to restart validation. If a restart had no effect, only the platform knows the cause.
 */
function unexplained(facts: Facts, found: readonly Finding[]): readonly Finding[] {
  const record = exactRecord(facts);
  const isExplained = found.some(
    (finding) => asksToAct(finding) || (finding.severity === 'progress' && finding.who === 'nobody'),
  );
  if (record === undefined || inService(facts) || isExplained || found.length === 0 || !isGathered(facts))
    return [];
  const again = (facts.history.refreshedAt ?? Number.NEGATIVE_INFINITY) > facts.now - dayMilliseconds;
  return [
    {
      id: 'G17',
      severity: 'error',
      cause: 'The hostname is not active, and no known fact explains why.',
      evidence: [
        `status: ${record.status}, certificate: ${record.ssl?.status ?? 'none'}`,
        ...(record.verification_errors ?? []),
        ...certificateMessages(record),
      ],
      ...(again
        ? {
            who: 'provider',
            remedy: {
              text: 'Restarting validation had no effect: contact the platform with this evidence.',
            },
          }
        : {
            who: 'us',
            remedy: { text: 'Restart validation.', command: { kind: 'refresh', hostname: facts.hostname } },
            fix: { kind: 'refresh' },
          }),
    },
  ];
}

/** Returns whether DNS was read. If DNS was not read, missing records prove nothing. */
function isGathered(facts: Facts): boolean {
  return !['unknown', 'unclear'].includes(readRouting(facts));
}

/** Returns the required facts that are unknown. */
function missingFacts(facts: Facts): readonly MissingFact[] {
  const record = exactRecord(facts);
  const caa = facts.dns.caa.asked.at(-1);
  const inService = record?.ssl === undefined || record.ssl.status === 'active';
  const needed: readonly (readonly [string, string | undefined])[] = [
    ['zone', unknownReason(facts.zone)],
    ['custom hostname', unknownReason(facts.record)],
    [
      'wildcard custom hostname',
      ifKnown(facts.record) === null ? unknownReason(facts.wildcardRecord) : undefined,
    ],
    [
      'fallback origin',
      record?.custom_origin_server === undefined ? unknownReason(facts.fallback) : undefined,
    ],
    ['DNS', unknownRouting(facts)],
    ['CAA', !inService && caa?.outcome === 'failed' ? caa.detail : undefined],
  ];
  return needed.flatMap(([fact, reason]) => (reason === undefined ? [] : [{ fact, reason }]));
}

function unknownRouting(facts: Facts): string | undefined {
  const routing = readRouting(facts);
  if (routing === 'unclear')
    return unknownReason(facts.edgeRanges) ?? 'the owner of these addresses is unknown';
  if (routing !== 'unknown') return undefined;
  const { v4, v6 } = facts.dns.addresses;
  return facts.dns.chain.detail ?? unknownReason(v4) ?? unknownReason(v6) ?? 'DNS did not answer';
}
