import { expect, test } from 'vitest';
import { reduceForm } from '../../../components/ui/forms/form-state.ts';
import { readSecretForm, secretForm } from '../../../components/workers/secret-forms.ts';

function typed(purpose: 'create' | 'edit', values: readonly string[]) {
  const dialog = secretForm('site', purpose === 'create' ? undefined : 'TOKEN');
  const form = values.reduce(
    (now, value) => reduceForm(reduceForm(now, { type: 'typed', value }), { type: 'next' }),
    dialog.form,
  );
  return { ...dialog, form };
}

test('draws the text of a secret hidden', () => {
  for (const name of [undefined, 'TOKEN']) {
    const text = secretForm('site', name).form.fields.find((field) => field.name === 'text');
    expect(text?.hidden).toBe(true);
  }
});

test('reads the form of a secret: a new one replaces none unasked', () => {
  expect(readSecretForm(typed('create', ['NEW', 'word']))).toEqual({
    command: { does: 'put', name: 'NEW', text: 'word', replaces: false },
  });
  expect(readSecretForm(typed('edit', ['other']))).toEqual({
    command: { does: 'put', name: 'TOKEN', text: 'other', replaces: true },
  });
});

test.each([
  ['a name that is no identifier', ['not-one', 'x'], ['name']],
  ['an empty text', ['NEW', ''], ['text']],
  ['both', ['', ''], ['name', 'text']],
])('says beside the fields what is wrong: %s', (_, values, fields) => {
  const answer = readSecretForm(typed('create', values));
  expect('errors' in answer && Object.keys(answer.errors)).toEqual(fields);
});
