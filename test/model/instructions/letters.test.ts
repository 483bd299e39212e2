import { expect, test } from 'vitest';
import { diagnose } from '../../../src/model/diagnosis/diagnose.ts';
import { known } from '../../../src/model/diagnosis/facts.ts';
import { createInstructions } from '../../../src/model/instructions/instructions.ts';
import { toCustomer } from '../../../src/model/instructions/letter-voice.ts';
import { findForeignWord, findLetterFault } from '../../support/letters.ts';
import { cases } from '../diagnosis/cases.ts';

test('the instructions for each case of each rule address the customer, and ask only for actions that the customer can take', () => {
  expect(cases.length).toBeGreaterThan(50);
  expect(cases.flatMap(({ id, given }) => findLetterFault(given)?.replace(/^/, `${id} `) ?? [])).toEqual([]);
});

test("omits the platform's status from instructions that name a cause", () => {
  const message = toCustomer('caa_error: the CAA records list other authorities, not pki.goog.');
  expect(message).toBe('The CAA records list other authorities, not pki.goog.');
});

test('omits the platform’s status from the text of each finding, and states what to do', () => {
  const theirs = cases.flatMap(({ given }) =>
    diagnose(given).findings.filter(({ who, severity }) => who === 'customer' && severity !== 'info'),
  );
  expect(new Set(theirs.map(({ id }) => id)).size).toBeGreaterThan(20);
  const wrong = theirs.flatMap(({ id, cause, remedy }) => {
    const action = toCustomer(remedy.text);
    return (
      findForeignWord(`${id} ${toCustomer(cause)} ${action}`) ??
      (action === '' ? `${id} asks for nothing` : [])
    );
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['The customer must add this TXT record; then restart validation.', 'Add this TXT record.'],
  [
    'The customer must remove these records, and add the TXT record.',
    'Remove these records, and add the TXT record.',
  ],
  [
    'If the changeover is due, the customer must create this record.',
    'If the changeover is due, create this record.',
  ],
  ["The customer's DNS provider must answer.", 'Your DNS provider must answer.'],
  ["That is the record of a, not the customer's.", 'That is the record of a, not yours.'],
  ['It has none. The customer can redirect it.', 'It has none. You can redirect it.'],
  [
    'The customer must restore the record; then restart validation. If the customer has left, delete the hostname.',
    'Restore the record.',
  ],
  [
    'The customer must follow the link in the email. Alternatively, validate by TXT.',
    'Follow the link in the email.',
  ],
  // In a text for the operator, "your account" is the operator's account.
  [
    "The customer can move the DNS, or set A and AAAA records to your account's own addresses (apex proxying, 192.0.2.0/24).",
    "You can move the DNS, or set A and AAAA records to our account's own addresses (apex proxying, 192.0.2.0/24).",
  ],
  [
    "The customer can move the DNS, or set A and AAAA records to your account's own addresses once your account has apex proxying (Enterprise).",
    'You can move the DNS.',
  ],
])('addresses the customer: %s', (said, letter) => {
  expect(toCustomer(said)).toBe(letter);
});

// A CNAME that points to any of our names is correct, and its current value is shown (RFC 1034, section 3.6.2).
test('shows a correct CNAME with the current value from DNS', () => {
  const theirOwn = cases.map(({ given }) => ({ ...given, target: known('offered.saas.com') }));
  const inPlace = theirOwn.flatMap((facts) =>
    createInstructions(facts, diagnose(facts)).records.flatMap(({ type, fullName, value, state }) => {
      const isRoute = type === 'CNAME' && fullName === facts.hostname && state === 'there';
      return isRoute ? [{ value, dns: facts.dns.chain.hops[0]?.target ?? value }] : [];
    }),
  );
  expect(inPlace.filter(({ value }) => value !== 'offered.saas.com').length).toBeGreaterThan(20);
  expect(inPlace.filter(({ value, dns }) => value !== dns)).toEqual([]);
});

test('does not call a hostname without a certificate healthy', () => {
  const bare = cases.find(({ id, given }) => {
    const { findings } = diagnose(given);
    return findings.some((finding) => finding.id === id && /has no certificate/.test(finding.cause));
  });
  if (bare === undefined) throw new Error('no case without a certificate');
  const { turn, state } = createInstructions(bare.given, diagnose(bare.given));
  expect([turn, state]).toEqual([
    'us',
    'The hostname has no certificate; whether another certificate covers it was not checked.',
  ]);
});
