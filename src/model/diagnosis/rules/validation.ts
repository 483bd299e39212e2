import { dayMilliseconds, isBeingProved } from '../../hostnames/hostname.ts';
import { challengeName, delegationTarget, tokenDays } from '../../hostnames/tokens.ts';
import { type Facts, ifKnown } from '../facts.ts';
import type { Judgement, NextStep, RecordAdvice, Rule } from '../finding.ts';
import { editCommand, refreshCommand } from '../remedy.ts';
import { findDamagedToken } from './mangled.ts';
import { arrivesAtEdge, chainLine, exactRecord, pointsElsewhere, timeSinceValidation } from './reading.ts';
import { httpIsBarred } from './token-path.ts';

/** F4 to F14: proof of control for the certificate authority. */
export const validationRules: readonly Rule[] = [
  { id: 'F4', judge: httpUnderWay },
  { id: 'F5', judge: httpCannot },
  { id: 'F6', judge: wildcardByHttp },
  { id: 'F7', judge: textsInPlace },
  { id: 'F8', judge: textsIncomplete },
  { id: 'F9', judge: textsForeign },
  { id: 'F10', judge: noTexts },
  { id: 'F11', judge: delegated },
  { id: 'F12', judge: delegatedWrongly },
  { id: 'F13', judge: hiddenTexts },
  { id: 'F14', judge: staleTokens },
];

/** Returns the certificate data if control is not proved yet. */
function validating(facts: Facts) {
  const certificate = exactRecord(facts)?.ssl;
  return isBeingProved(certificate) ? certificate : undefined;
}

/** Returns whether the platform has blocked the hostname. The platform does not validate a certificate until the hostname is unblocked. */
function isBlocked(facts: Facts): boolean {
  return exactRecord(facts)?.status === 'blocked';
}

/**
 * Returns whether validation over HTTP can succeed. As soon as the name points here, the platform also tries HTTP, regardless of the chosen
 * method, except for wildcards.
 */
function httpSuffices(facts: Facts): boolean {
  return validating(facts)?.wildcard !== true && arrivesAtEdge(facts) && !httpIsBarred(facts);
}

function httpUnderWay(facts: Facts): Judgement {
  if (validating(facts) === undefined || !httpSuffices(facts) || isBlocked(facts)) return undefined;
  return {
    severity: 'progress',
    cause: 'The certificate is being validated over HTTP, through our edge.',
    evidence: [chainLine(facts)],
    who: 'nobody',
    remedy: { text: 'Wait a few minutes.' },
  };
}

function httpCannot(facts: Facts): Judgement {
  const certificate = validating(facts);
  if (certificate?.method !== 'http' || certificate.wildcard === true || !pointsElsewhere(facts))
    return undefined;
  const url = certificate.validation_records?.find((record) => record.http_url !== undefined)?.http_url;
  return {
    severity: 'error',
    cause: 'The authority cannot fetch the HTTP token: the hostname does not point here.',
    evidence: [chainLine(facts), ...(url === undefined ? [] : [`token expected at ${url}`])],
    who: 'us',
    remedy: {
      text: 'Validation succeeds automatically once DNS points here. To get a certificate before the changeover, validate by TXT.',
      command: editCommand(facts, 'method', 'txt'),
    },
    fix: { kind: 'set-method', method: 'txt' },
  };
}

function wildcardByHttp(facts: Facts): Judgement {
  const certificate = exactRecord(facts)?.ssl;
  if (certificate?.wildcard !== true || certificate.method !== 'http' || certificate.status === 'active') {
    return undefined;
  }
  return {
    severity: 'error',
    cause: 'A wildcard certificate cannot be validated over HTTP.',
    evidence: ['wildcard: true', 'method: http'],
    who: 'us',
    remedy: {
      text: 'Validate by TXT, or delegate validation.',
      command: editCommand(facts, 'method', 'txt'),
    },
    fix: { kind: 'set-method', method: 'txt' },
  };
}

/**
 * Returns the expected TXT tokens (`wanted`), all TXT values found in DNS, and the expected tokens that are missing. Undefined if
 * validation does not use TXT, if HTTP suffices, or if the TXT values in DNS are unknown.
 */
export function txtTokens(facts: Facts) {
  const certificate = validating(facts);
  const found = ifKnown(facts.dns.challengeTxt);
  if (certificate?.method !== 'txt' || found === undefined || httpSuffices(facts)) return undefined;
  const wanted = (certificate.validation_records ?? []).flatMap((record) => record.txt_value ?? []);
  const missing = wanted.filter((value) => !found.includes(value));
  return { wanted, found, missing };
}

/** Returns the TXT records for these tokens. */
export function txtAdvice(facts: Facts, values: readonly string[]): readonly RecordAdvice[] {
  return values.map((value) => ({ name: challengeName(facts.hostname), type: 'TXT', value }));
}

function isDelegated(facts: Facts): boolean {
  const alias = ifKnown(facts.dns.challengeAlias);
  return alias !== undefined && alias !== null;
}

function textLines(facts: Facts, texts: readonly string[]): readonly string[] {
  const name = challengeName(facts.hostname);
  return texts.length === 0 ? [`TXT ${name}: none`] : texts.map((text) => `TXT ${name}: ${text}`);
}

function textsInPlace(facts: Facts): Judgement {
  const text = txtTokens(facts);
  if (text === undefined || text.wanted.length === 0 || text.missing.length > 0 || isBlocked(facts))
    return undefined;
  return {
    severity: 'progress',
    cause: 'All TXT tokens are in place; the certificate is waiting for its next check.',
    evidence: textLines(facts, text.wanted),
    who: 'us',
    remedy: { text: 'Restart validation to check again now.', command: refreshCommand(facts) },
    fix: { kind: 'refresh' },
  };
}

function textsIncomplete(facts: Facts): Judgement {
  const text = txtTokens(facts);
  if (text === undefined || text.missing.length === 0 || text.missing.length === text.wanted.length)
    return undefined;
  return {
    severity: 'error',
    cause: `${text.missing.length} of ${text.wanted.length} TXT tokens ${text.missing.length === 1 ? 'is' : 'are'} missing; all must exist together.`,
    evidence: textLines(facts, text.found),
    who: 'customer',
    remedy: {
      text: 'The customer must add these records and keep the others.',
      records: txtAdvice(facts, text.missing),
    },
  };
}

function nothingOfOurs(facts: Facts) {
  const text = txtTokens(facts);
  if (text === undefined || text.wanted.length === 0 || isDelegated(facts)) return undefined;
  return text.missing.length === text.wanted.length ? text : undefined;
}

function textsForeign(facts: Facts): Judgement {
  const text = nothingOfOurs(facts);
  if (text === undefined || text.found.length === 0) return undefined;
  if (findDamagedToken(text.found, text.wanted) !== undefined) return undefined;
  return {
    severity: 'error',
    cause: 'The TXT tokens in DNS are not those of the current order.',
    evidence: textLines(facts, text.found),
    who: 'customer',
    remedy: withDelegation(
      facts,
      'The customer must replace the outdated TXT records with these records.',
      text.wanted,
    ),
  };
}

function expectedDelegation(facts: Facts): string | undefined {
  const listed = exactRecord(facts)?.ssl?.dcv_delegation_records?.find(
    (record) => record.cname_target !== undefined,
  );
  const suffix = ifKnown(facts.delegation);
  return (
    listed?.cname_target ?? (suffix === undefined ? undefined : delegationTarget(facts.hostname, suffix))
  );
}

/** Returns a list with the record that delegates validation permanently; an empty list if the delegation target is unknown. */
export function delegationAdvice(facts: Facts): readonly RecordAdvice[] {
  const value = expectedDelegation(facts);
  return value === undefined ? [] : [{ name: challengeName(facts.hostname), type: 'CNAME', value }];
}

function noTexts(facts: Facts): Judgement {
  const text = nothingOfOurs(facts);
  if (text === undefined || text.found.length > 0) return undefined;
  // If the misplaced values are from an earlier order, moving them would not help.
  const misplaced = facts.dns.misplacedChallenge.flatMap(({ texts }) => texts);
  if (misplaced.some((found) => text.wanted.includes(found))) return undefined;
  return {
    severity: 'error',
    cause: 'The TXT tokens for the certificate are not in DNS.',
    evidence: textLines(facts, []),
    who: 'customer',
    remedy: withDelegation(facts, 'The customer must create the TXT records.', text.wanted),
  };
}

/**
 * Returns the advice to set TXT records or, alternatively, to delegate validation, so that later orders and renewals need no TXT records.
 */
function withDelegation(facts: Facts, text: string, wanted: readonly string[]): NextStep {
  const delegation = delegationAdvice(facts);
  const once =
    delegation.length === 0
      ? ''
      : ' Alternatively, the customer can create only the CNAME, once, to make renewals automatic.';
  return { text: `${text}${once}`, records: [...txtAdvice(facts, wanted), ...delegation] };
}

/** Returns the delegation found in DNS and the expected delegation, if both are known. */
function delegation(facts: Facts): { readonly found: string; readonly expected: string } | undefined {
  const found = ifKnown(facts.dns.challengeAlias);
  const expected = expectedDelegation(facts);
  if (found === undefined || found === null || expected === undefined) return undefined;
  return { found, expected };
}

/** Returns whether `_acme-challenge` points to the expected delegation target and no other record hides it. */
export function isDelegatedHere(facts: Facts): boolean {
  const both = delegation(facts);
  return both !== undefined && both.found === both.expected && foreignTexts(facts).length === 0;
}

function foreignTexts(facts: Facts): readonly string[] {
  const here = ifKnown(facts.dns.challengeTxt) ?? [];
  const there = ifKnown(facts.dns.delegatedTxt);
  return there === undefined ? [] : here.filter((text) => !there.includes(text));
}

function delegated(facts: Facts): Judgement {
  const both = delegation(facts);
  if (both === undefined || !isDelegatedHere(facts) || validating(facts) === undefined || isBlocked(facts))
    return undefined;
  return {
    severity: 'progress',
    cause: 'Validation is delegated to the platform, which answers the challenges itself.',
    evidence: [`CNAME ${challengeName(facts.hostname)}: ${both.found}`],
    who: 'nobody',
    remedy: { text: 'Wait a few minutes.' },
  };
}

function delegatedWrongly(facts: Facts): Judgement {
  const both = delegation(facts);
  if (both === undefined || both.found === both.expected) return undefined;
  if (validating(facts)?.method !== 'txt' || httpSuffices(facts)) return undefined;
  return {
    severity: 'error',
    cause: 'Validation is delegated to the wrong target: another account or zone, or a typo.',
    evidence: [`CNAME ${challengeName(facts.hostname)}: ${both.found}`, `expected: ${both.expected}`],
    who: 'customer',
    remedy: { text: 'The customer must change the CNAME to this record.', records: delegationAdvice(facts) },
  };
}

function hiddenTexts(facts: Facts): Judgement {
  const both = delegation(facts);
  const foreign = foreignTexts(facts);
  if (both === undefined || both.found !== both.expected || foreign.length === 0) return undefined;
  if (validating(facts) === undefined) return undefined;
  return {
    severity: 'error',
    cause: "In the customer's own zone on the platform, hidden TXT records override the delegation.",
    evidence: [`CNAME ${challengeName(facts.hostname)}: ${both.found}`, ...textLines(facts, foreign)],
    who: 'customer',
    remedy: {
      text:
        'The customer must remove the TXT records at this name, and the universal certificate of that zone, which creates such records' +
        (validating(facts)?.wildcard === true ? '.' : '. Alternatively, validate over HTTP.'),
      ...(validating(facts)?.wildcard !== true && { command: editCommand(facts, 'method', 'http') }),
    },
  };
}

function staleTokens(facts: Facts): Judgement {
  const certificate = validating(facts);
  const days = tokenDays(certificate?.certificate_authority);
  if (
    certificate?.status !== 'pending_validation' ||
    (timeSinceValidation(facts) ?? 0) < days * dayMilliseconds
  )
    return undefined;
  return {
    severity: 'error',
    cause: `The tokens are older than ${days} days; the authority no longer accepts them.`,
    evidence: [`authority: ${certificate.certificate_authority ?? 'default'}`],
    who: 'us',
    remedy: {
      text: 'Restart validation, and give the new tokens to the customer.',
      command: refreshCommand(facts),
    },
    fix: { kind: 'refresh' },
  };
}
