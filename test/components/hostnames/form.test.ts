import { expect, test } from 'vitest';
import { actionsOnHostnames } from '../../../components/hostnames/actions-on-hostnames.ts';
import {
  editForm,
  editMarkedForm,
  type HostnameEdit,
  previewDialog,
} from '../../../components/hostnames/edit-form.ts';
import { newHostnameForm } from '../../../components/hostnames/form.ts';
import { planActions } from '../../../components/hostnames/plan/plan-actions.ts';
import { saving } from '../../../components/kit/keys/busy.ts';
import type { PaneParts } from '../../../components/kit/use-console.ts';
import type { Work } from '../../../components/ui/forms/dialog.ts';
import { formRows } from '../../../components/ui/forms/form-layout.ts';
import { explainedLabel, formValues } from '../../../components/ui/forms/form-state.ts';
import type { DefaultValues } from '../../../src/model/hostnames/fleet/differences.ts';
import { brandedName } from '../../../src/sandbox/hostnames/certificates.ts';
import type { PlannedStep } from '../../../src/services/tasks/planning.ts';
import { hostname, saas } from '../memory-hostnames.ts';
import { plainSurface } from '../plain-surface.ts';

const work: Work = { busy: saving, run: async () => ({}) };

type Values = Readonly<Record<string, string>>;

/** Returns the request that a form creates with these fields filled in and the others at their defaults, or the form's errors. */
function submitted<W>(
  open: (ask: (wanted: W) => Work) => ReturnType<typeof newHostnameForm>,
  values: Values,
) {
  const asked: W[] = [];
  const { form, submit } = open((wanted) => {
    asked.push(wanted);
    return work;
  });
  const read = submit?.({ ...formValues(form), ...values });
  return read !== undefined && 'work' in read ? { does: read.work === work, asked } : read;
}

const filled = (values: Values) => submitted(newHostnameForm, values);

const long = `${'a'.repeat(60)}.acme.com`;

test('sends only the fields that the user filled in, in the wire format', () => {
  expect(filled({ hostname: ' Shop.Acme.com. ' })).toEqual({
    does: true,
    asked: [{ hostname: 'shop.acme.com' }],
  });
  expect(filled({ hostname: 'bücher.acme.com' })).toEqual({
    does: true,
    asked: [{ hostname: 'xn--bcher-kva.acme.com' }],
  });
});

test('accepts a value in any letter case in every field with fixed values', () => {
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
    does: true,
    asked: [
      {
        hostname: long,
        method: 'txt',
        authority: 'lets_encrypt',
        branding: true,
        minimumTls: '1.2',
        wildcard: true,
        origin: 'eu.saas.com',
      },
    ],
  });
});

test.each([
  [{}, 'hostname', 'Enter a hostname.'],
  [{ hostname: 'shop.example.com' }, 'hostname', 'is refused'],
  [{ hostname: '10.0.0.1' }, 'hostname', 'no IP address'],
  [{ hostname: 'https://Shop.Acme.com/a' }, 'hostname', 'its hostname is shop.acme.com'],
  [{ hostname: long }, 'branding', 'Branding is required'],
  [{ hostname: 'a.acme.com', method: 'mail' }, 'method', 'Must be empty, or one of http, txt, email.'],
  [{ hostname: 'a.acme.com', authority: 'mine' }, 'authority', 'one of default, google'],
  [{ hostname: 'a.acme.com', branding: 'perhaps' }, 'branding', 'one of yes, no'],
  [{ hostname: 'a.acme.com', minimumTls: '1.4' }, 'minimumTls', 'one of 1.0'],
  [{ hostname: 'a.acme.com', origin: '*.saas.com' }, 'origin', 'cannot be a wildcard'],
])('rejects %o at its field %s', (values: Record<string, string>, field, words) => {
  expect(filled(values)).toMatchObject({ errors: { [field]: expect.stringContaining(words) } });
});

test('explains the effect of both values of Branding in the row of the value, on 80 columns', () => {
  const { form } = newHostnameForm(() => work);
  const branding = form.fields.find(({ name }) => name === 'branding');
  const labels = branding?.choices?.map(explainedLabel);
  expect(labels).toEqual([
    `yes: Common Name is ${brandedName} (any length)`,
    'no: Common Name is the hostname (max. 64 characters)',
  ]);
  expect(
    formRows({ ...form, focus: 3 }, plainSurface(80)).filter(({ type }) => type === 'choice'),
  ).toHaveLength(1);
});

const own = hostname('a.acme.com', 'active', { custom_origin_server: 'eu.saas.com' });
const plain = hostname('b.acme.com');

test('changes only settings that differ, and removes the custom origin if its field is empty', () => {
  const edit = (values: Values) => submitted<HostnameEdit>((ask) => editForm(own, ask), values);
  expect(edit({})).toEqual({ errors: { origin: 'No field was changed.' } });
  expect(edit({ origin: '' })).toEqual({ does: true, asked: [{ origin: '' }] });
  expect(edit({ originSni: 'sni.saas.com', minimumTls: '1.2' })).toEqual({
    does: true,
    asked: [{ originSni: 'sni.saas.com', minimumTls: '1.2' }],
  });
  expect(edit({ origin: '10.0.0.1' })).toMatchObject({ errors: { origin: expect.any(String) } });
});

test('leaves settings of several hostnames unchanged if their fields are empty, and shows the changes before asking', () => {
  const read = (values: Values) =>
    submitted<HostnameEdit>((ask) => editMarkedForm([own, plain], 0, ask), values);
  expect(read({})).toEqual({ errors: { origin: 'No field was changed.' } });
  expect(read({ origin: 'None' })).toEqual({ does: true, asked: [{ origin: '' }] });
  const asked = previewDialog([own, plain], { origin: 'eu.saas.com' }, saas, work);
  const change = expect.stringContaining('b.acme.com: origin - -> eu.saas.com');
  const question = {
    question: 'Change 1 hostname in saas.com?',
    lost: [
      { quoted: [change] },
      '1 hostname already has these settings.',
      'Changes to several hostnames are not saved for undo.',
    ],
  };
  expect(asked).toMatchObject({ dialog: { question, command: work } });
  expect(previewDialog([own], { origin: 'eu.saas.com' }, saas, work)).toEqual({
    errors: { origin: 'All hostnames already have these settings.' },
  });
});

test('the preview of a change shows the value that the platform chooses for a default', () => {
  const own = hostname('a.com', 'active', { custom_origin_server: 'eu.saas.com' });
  const lost = (edit: HostnameEdit, defaults: DefaultValues) => {
    const asked = previewDialog([own], edit, saas, work, defaults);
    return asked.dialog?.kind === 'confirm' ? asked.dialog.question.lost[0] : undefined;
  };
  expect(lost({ origin: '' }, { origin: 'origin.saas.com' })).toMatchObject({
    quoted: ['a.com: origin eu.saas.com -> the fallback origin origin.saas.com'],
  });
  expect(lost({ authority: 'default' }, {})).toMatchObject({
    quoted: ['a.com: ca google -> default (google, or lets_encrypt if CAA forbids google)'],
  });
});

/** Minimal parts for actions that only ask for confirmation. */
const parts = { services: {} } as PaneParts;

test.each([
  ['revalidate', [], 'Restart the validation of b.acme.com?'],
  ['revalidate', [own], 'Restart the validation of a.acme.com?'],
  ['revalidate', [own, plain], 'Restart the validation of 2 hostnames in saas.com?'],
  ['remove', [own], 'Delete the custom hostname a.acme.com?'],
  ['remove', [own, plain], 'Delete 2 hostnames from saas.com with their certificates'],
  ['edit', [own], 'Change a.acme.com'],
  ['edit', [own, plain], 'Change 2 hostnames'],
])(
  'applies the action %s to the selected hostname, to one marked hostname, or to several (%#)',
  (does, marked, words) => {
    const action = actionsOnHostnames(true).find((one) => one.does === does);
    const effect = action?.run({ zone: saas, record: plain, marked, hidden: 0, parts });
    const title = { form: { title: words } };
    const question = { question: { question: words } };
    expect(effect).toMatchObject({ dialog: words.endsWith('?') ? question : title });
  },
);

test('does not offer a certificate authority for an uploaded certificate', () => {
  const action = actionsOnHostnames(false).find(({ does }) => does === 'authority');
  const record = hostname('own.acme.com', 'active', {}, { type: 'dv', custom_certificate: 'PEM' });
  const effect = action?.run({ zone: saas, record, marked: [], hidden: 0, parts });
  expect(effect).toEqual({ refusal: expect.stringContaining('own.acme.com has an uploaded certificate') });
});

test('applies a plan after the answer Yes, or after the number of changes is typed if the plan deletes, and never exceeds the limit of the plan', () => {
  const step = (does: PlannedStep['does']): PlannedStep => ({
    does,
    hostname: `${does}.com`,
    reason: '',
    differences: [],
  });
  const action = planActions.find(({ does }) => does === 'import');
  const ask = (steps: readonly PlannedStep[], limit?: number) => {
    const opened = { pane: 'plan', zone: saas, path: '/f', prune: true, limit, id: 't' } as const;
    const plan = { hash: 'h', steps };
    const rows = { step: undefined, hostname: undefined, list: undefined as never };
    return action !== undefined && 'run' in action ? action.run({ ...rows, plan, opened, parts }) : undefined;
  };
  expect(ask([step('leave')])).toEqual({ refusal: 'No changes are needed.' });
  expect(ask([step('delete'), step('create')], 0)).toEqual({
    refusal: 'The plan deletes 1 hostname, more than the limit of 0.',
  });
  expect(ask([step('create')])).toMatchObject({ dialog: { kind: 'confirm' } });
  const asked = ask([step('delete')], 1);
  const dialog = asked !== undefined && 'dialog' in asked ? asked.dialog : undefined;
  const submit = dialog?.kind === 'form' ? dialog.submit : undefined;
  expect(submit?.({ number: '2' })).toHaveProperty('errors.number');
  expect(submit?.({ number: ' 1 ' })).toHaveProperty('work');
});
