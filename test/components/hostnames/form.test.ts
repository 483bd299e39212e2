import { expect, test } from 'vitest';
import {
  editForm,
  editMarkedForm,
  type HostnameEdit,
  readEditCommand,
} from '../../../components/hostnames/edit-form.ts';
import { newHostnameForm, readHostnameForm } from '../../../components/hostnames/form.ts';
import { editMarkedDialog } from '../../../components/hostnames/marked.ts';
import { readMarkedForm } from '../../../components/hostnames/marked-form.ts';
import type { Form } from '../../../components/ui/forms/form-state.ts';
import type { DefaultValues } from '../../../src/model/hostnames/fleet/differences.ts';
import { hostname, saas } from '../memory-hostnames.ts';

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
  [{ hostname: 'https://Shop.Acme.com/a' }, 'hostname', 'its hostname is shop.acme.com'],
  [{ hostname: long }, 'branding', 'Branding is required'],
  [{ hostname: 'a.acme.com', method: 'mail' }, 'method', 'One of http, txt, email; or empty.'],
  [{ hostname: 'a.acme.com', authority: 'mine' }, 'authority', 'One of default, google'],
  [{ hostname: 'a.acme.com', branding: 'perhaps' }, 'branding', 'One of yes, no'],
  [{ hostname: 'a.acme.com', minimumTls: '1.4' }, 'minimumTls', 'One of 1.0'],
  [{ hostname: 'a.acme.com', origin: '*.saas.com' }, 'origin', 'cannot be a wildcard'],
])('refuses %o at its field %s', (values: Record<string, string>, field, words) => {
  expect(filled(values)).toMatchObject({ errors: { [field]: expect.stringContaining(words) } });
});

const typed = (form: Form, values: Readonly<Record<string, string>>): Form => ({
  ...form,
  fields: form.fields.map((field) => ({ ...field, value: values[field.name] ?? field.value })),
});
const own = hostname('a.acme.com', 'active', { custom_origin_server: 'eu.saas.com' });
const plain = hostname('b.acme.com');

test('changes of one hostname only what is other than it was, and takes an emptied origin away', () => {
  const { form } = editForm(own);
  const edit = (values: Readonly<Record<string, string>>) => readEditCommand(typed(form, values), [own]);
  expect(edit({})).toEqual({ errors: { origin: 'Nothing is changed.' } });
  expect(edit({ origin: '' })).toMatchObject({ command: { does: 'edit', edit: { origin: '' } } });
  expect(edit({ originSni: 'sni.saas.com', minimumTls: '1.2' })).toMatchObject({
    command: { edit: { originSni: 'sni.saas.com', minimumTls: '1.2' } },
  });
  expect(edit({ origin: '10.0.0.1' })).toMatchObject({ errors: { origin: expect.any(String) } });
});

test('leaves of many what is empty, and says what would change before it is asked for', () => {
  const { form } = editMarkedForm([own, plain], 0);
  const read = (values: Readonly<Record<string, string>>) =>
    readMarkedForm('edit-marked', typed(form, values), [own, plain]);
  expect(read({})).toEqual({ errors: { origin: 'Nothing is changed.' } });
  expect(read({ origin: 'None' })).toMatchObject({ command: { does: 'preview-edit', edit: { origin: '' } } });
  const asked = editMarkedDialog([own, plain], { origin: 'eu.saas.com' }, saas);
  const change = expect.stringContaining('b.acme.com: origin - -> eu.saas.com');
  const question = {
    question: 'Change 1 hostname of saas.com?',
    lost: [
      { quoted: [change] },
      '1 is so already.',
      'Of many at once nothing is kept: U does not change them back.',
    ],
  };
  expect(asked).toMatchObject({ dialog: { question } });
  expect(editMarkedDialog([own], { origin: 'eu.saas.com' }, saas)).toEqual({
    errors: { origin: 'All of them are so already.' },
  });
});

test('the preview of a change names what the platform chooses where a field is set to its default', () => {
  const own = hostname('a.com', 'active', { custom_origin_server: 'eu.saas.com' });
  const lost = (edit: HostnameEdit, defaults: DefaultValues) => {
    const asked = editMarkedDialog([own], edit, saas, defaults);
    return 'dialog' in asked && asked.dialog.kind === 'confirm' ? asked.dialog.question.lost[0] : undefined;
  };
  expect(lost({ origin: '' }, { origin: 'origin.saas.com' })).toMatchObject({
    quoted: ['a.com: origin eu.saas.com -> the fallback origin origin.saas.com'],
  });
  expect(lost({ authority: 'default' }, {})).toMatchObject({
    quoted: ['a.com: ca google -> default (google, or lets_encrypt where CAA forbids google)'],
  });
});
