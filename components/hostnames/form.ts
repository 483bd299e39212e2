import { commonNameRefusal, originRefusal } from '../../src/model/hostnames/fault.ts';
import {
  type AuthorityChoice,
  certificateAuthorities,
  validationMethods,
} from '../../src/model/hostnames/hostname.ts';
import { minimumTlsVersions } from '../../src/model/hostnames/settings.ts';
import { type NewHostname, typedRefusal, wireHostname } from '../../src/services/hostnames/body.ts';
import { type FormValues, formDialog, type Submitted, type Work } from '../ui/forms/dialog.ts';
import { type FieldChoice, openForm } from '../ui/forms/form-state.ts';

const answers = ['yes', 'no'] as const;
const authorities: readonly AuthorityChoice[] = ['default', ...certificateAuthorities];

/** The allowed values of some fields, by the name of the field. These fields can also be left empty. */
const words: Readonly<Record<string, readonly string[]>> = {
  method: validationMethods,
  authority: authorities,
  branding: answers,
  minimumTls: minimumTlsVersions,
  wildcard: answers,
};

/** Returns the form for a new custom hostname. */
export function newHostnameForm(create: (wanted: NewHostname) => Work) {
  const field = (name: string, label: string, value: string, note: string) => ({ name, label, value, note });
  const picked = (name: string, label: string, value: string, empty?: Omit<FieldChoice, 'value'>) => ({
    name,
    label,
    value,
    choices: [
      ...(empty === undefined ? [] : [{ value: '', ...empty }]),
      ...(words[name] ?? []).map((word) => ({ value: word, label: word })),
    ],
  });
  const answered = (name: string, label: string, abouts: Readonly<Record<'yes' | 'no', string>>) => ({
    name,
    label,
    value: 'no',
    choices: answers.map((value) => ({ value, label: value, about: abouts[value] })),
  });
  const form = openForm('New custom hostname', [
    {
      ...field('hostname', 'Hostname', '', 'Required, for example shop.acme.com.'),
      isRequired: true,
    },
    picked('method', 'Method', '', { label: 'automatic', about: 'http, or txt for a wildcard' }),
    picked('authority', 'CA', '', { label: 'automatic', about: 'the platform chooses' }),
    answered('branding', 'Branding', {
      no: 'Common Name is the hostname (max. 64 characters)',
      yes: 'Common Name is sni.cloudflaressl.com (any length)',
    }),
    picked('minimumTls', 'Min TLS', '', { label: 'zone default' }),
    answered('wildcard', 'Wildcard', {
      no: 'the certificate covers the hostname only',
      yes: 'the certificate also covers its subdomains',
    }),
    field('origin', 'Origin', '', 'A proxied DNS name in the zone. Empty: the fallback origin.'),
  ]);
  return formDialog(form, (values) => submitted(values, create));
}

function submitted(values: FormValues, create: (wanted: NewHostname) => Work): Submitted {
  const text = (name: string) => (values[name] ?? '').trim();
  const hostname = wireHostname(text('hostname'));
  const origin = wireHostname(text('origin'));
  const wildcard = parseWord(text('wildcard'), answers) === 'yes';
  const branding = parseWord(text('branding'), answers) === 'yes';
  const found: Record<string, string | undefined> = {
    hostname: hostname === '' ? 'Enter a hostname.' : typedRefusal(hostname)?.message,
    origin: origin === '' ? undefined : originRefusal(origin)?.message,
    branding: commonNameRefusal(hostname, wildcard, branding)?.message,
    ...wordFaults(text),
  };
  const errors = Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (errors.length > 0) return { errors: Object.fromEntries(errors) };
  return {
    work: create({
      hostname,
      method: parseWord(text('method'), validationMethods),
      authority: parseWord(text('authority'), authorities),
      minimumTls: parseWord(text('minimumTls'), minimumTlsVersions),
      origin: origin === '' ? undefined : origin,
      branding: branding || undefined,
      wildcard: wildcard || undefined,
    }),
  };
}

function wordFaults(text: (name: string) => string): Record<string, string> {
  const wrong = Object.entries(words).filter(
    ([name, known]) => text(name) !== '' && parseWord(text(name), known) === undefined,
  );
  return Object.fromEntries(
    wrong.map(([name, known]) => [name, `Must be empty, or one of ${known.join(', ')}.`]),
  );
}

/** Returns the known value that equals a string in lower case with `-` replaced by `_`; undefined if no value matches. */
function parseWord<W extends string>(text: string, known: readonly W[]): W | undefined {
  const wanted = text.toLowerCase().replaceAll('-', '_');
  return known.find((word) => word === wanted);
}
