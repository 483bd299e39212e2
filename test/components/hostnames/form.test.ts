import { expect, test } from 'vitest';
import { newHostnameForm, readHostnameForm } from '../../../components/hostnames/form.ts';

/** The form with these fields filled. */
function filled(values: Readonly<Record<string, string>>) {
  const form = newHostnameForm();
  const fields = form.fields.map((field) => ({ ...field, value: values[field.name] ?? field.value }));
  return readHostnameForm({ ...form, fields });
}

const long = `${'a'.repeat(60)}.acme.com`;

test('asks for no more than was filled in, in the form of the wire', () => {
  expect(filled({ hostname: ' Shop.Acme.com. ' })).toEqual({ wanted: { hostname: 'shop.acme.com' } });
  expect(filled({ hostname: 'bücher.acme.com' })).toEqual({ wanted: { hostname: 'xn--bcher-kva.acme.com' } });
});

test('takes every wish, whatever its case', () => {
  const read = filled({
    hostname: long,
    method: 'TXT',
    authority: 'lets-encrypt',
    branding: 'Yes',
    minimumTls: '1.2',
    wildcard: 'yes',
    origin: 'Eu.saas.com',
  });
  expect(read).toEqual({
    wanted: {
      hostname: long,
      method: 'txt',
      authority: 'lets_encrypt',
      branding: true,
      minimumTls: '1.2',
      wildcard: true,
      origin: 'eu.saas.com',
    },
  });
});

test.each([
  [{}, 'hostname', 'A hostname is needed.'],
  [{ hostname: 'shop.example.com' }, 'hostname', 'is refused'],
  [{ hostname: '10.0.0.1' }, 'hostname', 'not an IP address'],
  [{ hostname: long }, 'branding', 'Branding is required'],
  [{ hostname: 'a.acme.com', method: 'mail' }, 'method', 'One of http, txt, email; or empty.'],
  [{ hostname: 'a.acme.com', authority: 'mine' }, 'authority', 'One of default, google'],
  [{ hostname: 'a.acme.com', branding: 'perhaps' }, 'branding', 'One of yes, no'],
  [{ hostname: 'a.acme.com', minimumTls: '1.4' }, 'minimumTls', 'One of 1.0'],
  [{ hostname: 'a.acme.com', origin: '*.saas.com' }, 'origin', 'cannot be a wildcard'],
])('refuses %o at its field %s', (values: Record<string, string>, field, words) => {
  expect(filled(values)).toMatchObject({ errors: { [field]: expect.stringContaining(words) } });
});
