import { hasCustomCertificate, isCertificateAuthority, isReady, isServed } from '../../hostnames/hostname.ts';
import { caaOutcome, decideCaa } from '../caa.ts';
import { type Facts, ifKnown, type ProbeAnswer } from '../facts.ts';
import { type Judgement, type Rule, waitRemedy } from '../finding.ts';
import { createCommand, refreshCommand } from '../remedy.ts';
import { originRules } from './origin.ts';
import { becomesActive } from './ownership.ts';
import { originIsDeployed, originRemedy } from './prerequisites.ts';
import {
  chainLine,
  exactRecord,
  hourMilliseconds,
  isServedWithoutFault,
  originFault,
  pageCodes,
  pointsHere,
  strayV6,
  timeSinceIssue,
} from './reading.ts';
import { workerRouteRules } from './worker-route.ts';

/** G1 to G14: responses to visitors. The three causes of error 1016 are G1, G2 and G3. */
export const servingRules: readonly Rule[] = [
  { id: 'G1', judge: notValidated },
  { id: 'G2', judge: noOrigin },
  { id: 'G3', judge: standaloneZone },
  { id: 'G4', judge: originFails },
  { id: 'G5', judge: healthy },
  { id: 'G6', judge: wrongCertificate },
  ...originRules,
  ...workerRouteRules,
];

function answers(facts: Facts): readonly ProbeAnswer[] {
  return [ifKnown(facts.http), ifKnown(facts.https)].filter((answer) => answer !== undefined);
}

function answerLines(facts: Facts): readonly string[] {
  return answers(facts).map((answer) => {
    const code = answer.pageCode === undefined ? '' : `, error ${answer.pageCode}`;
    return `${answer.url} at ${answer.address}: ${answer.status}${code}`;
  });
}

function shows1016(facts: Facts): boolean {
  return pageCodes(facts).includes(1016);
}

function notValidated(facts: Facts): Judgement {
  const record = exactRecord(facts);
  if (!shows1016(facts) || record === undefined || isServed(record)) return undefined;
  const cause = 'Error 1016, first cause: validation of the hostname is not complete.';
  const evidence = [...answerLines(facts), `status: ${record.status}`, ...(record.verification_errors ?? [])];
  if (becomesActive(facts)) {
    return {
      severity: 'progress',
      cause,
      evidence,
      ...waitRemedy('Wait: the next check activates the hostname.'),
    };
  }
  return {
    severity: 'error',
    cause,
    evidence,
    who: 'us',
    remedy: {
      text: 'Restart validation.',
      command: refreshCommand(facts),
    },
  };
}

function noOrigin(facts: Facts): Judgement {
  const fault = originFault(facts);
  if (!shows1016(facts) || fault === undefined) return undefined;
  const deployed = originIsDeployed(facts);
  return {
    severity: deployed ? 'progress' : 'error',
    cause: deployed
      ? 'Error 1016, second cause: the fallback origin is not deployed yet.'
      : 'Error 1016, second cause: the fallback origin or its DNS record is missing.',
    evidence: [...answerLines(facts), fault],
    ...(originRemedy(facts) ?? {
      who: 'us',
      remedy: { text: 'Set the origin again, and create its DNS record.' },
    }),
  };
}

function standaloneZone(facts: Facts): Judgement {
  const wildcard = ifKnown(facts.wildcardRecord);
  const zone = ifKnown(facts.standaloneZone);
  if (ifKnown(facts.record) !== null || !wildcard || !zone) return undefined;
  if (answers(facts).some((answer) => answer.status < 400)) return undefined;
  return {
    severity: 'error',
    cause: `Error 1016, third cause: ${zone} is a separate zone on the platform, which overrides the wildcard.`,
    evidence: [`wildcard custom hostname: ${wildcard.hostname}`, ...answerLines(facts)],
    who: 'us',
    remedy: { text: 'Create a separate custom hostname for this name.', command: createCommand(facts) },
    fix: { kind: 'create-exact' },
  };
}

function originFails(facts: Facts): Judgement {
  const record = exactRecord(facts);
  if (record === undefined || !isReady(record) || !pointsHere(facts)) return undefined;
  if (originRules.some(({ judge }) => judge(facts) !== undefined)) return undefined;
  const failing = answers(facts).filter((answer) => answer.status >= 500 && answer.pageCode !== 1014);
  if (failing.length === 0 || (shows1016(facts) && originFault(facts) !== undefined)) return undefined;
  return {
    severity: 'warn',
    cause: 'The hostname and its certificate are active, but the origin does not answer correctly.',
    evidence: answerLines(facts),
    who: 'us',
    remedy: {
      text: 'Check the origin: its address, its certificate, and the SNI it expects (custom_origin_sni).',
    },
  };
}

function caaRefuses(facts: Facts): boolean {
  const record = exactRecord(facts);
  const authority = record?.ssl?.certificate_authority ?? '';
  if (record === undefined || hasCustomCertificate(record) || !isCertificateAuthority(authority))
    return false;
  const decision = decideCaa(facts.dns.caa, { authority });
  return caaOutcome(decision, record.ssl?.wildcard === true).outcome === 'refused';
}

function healthy(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const isServing = record !== undefined && isReady(record) && isServedWithoutFault(facts);
  const good = isServing && pointsHere(facts) && !caaRefuses(facts) && strayV6(facts).length === 0;
  const failing = answers(facts).some((answer) => answer.status >= 500 || answer.pageCode !== undefined);
  if (!good || originFault(facts) !== undefined || failing) return undefined;
  if (originRules.some(({ judge }) => judge(facts) !== undefined)) return undefined;
  return {
    severity: 'ok',
    cause: 'Healthy: the hostname is active, its certificate is served, and DNS points here.',
    evidence: [chainLine(facts), ...answerLines(facts)],
    who: 'nobody',
    remedy: { text: 'No action needed.' },
  };
}

function wrongCertificate(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const seen = ifKnown(facts.https)?.certificate;
  if (record?.ssl?.status !== 'active' || seen === undefined || !pointsHere(facts)) return undefined;
  const over = seen.validTo <= facts.now;
  const early = seen.validFrom > facts.now;
  if (seen.covers && !over && !early) return undefined;
  const fault = over ? 'that has expired' : early ? 'that is not valid yet' : 'for other names';
  const [from, to] = [seen.validFrom, seen.validTo].map((moment) =>
    new Date(moment).toISOString().slice(0, 10),
  );
  const isNew = !over && !early && (timeSinceIssue(facts) ?? hourMilliseconds) < hourMilliseconds;
  return {
    severity: isNew ? 'progress' : 'error',
    cause: `The edge presents a certificate ${fault}.`,
    evidence: [
      `subject ${seen.subject}, names ${seen.names.join(', ')}, issuer ${seen.issuer}`,
      ...(over || early ? [`valid from ${from} to ${to}`] : []),
    ],
    ...(isNew
      ? waitRemedy('Wait: the new certificate can take a few minutes to reach every edge location.')
      : {
          who: 'provider',
          remedy: {
            text: 'The edge does not serve the certificate that the platform reports: contact the platform.',
          },
        }),
  };
}
