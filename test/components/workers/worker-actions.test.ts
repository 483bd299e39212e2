import { expect, test } from 'vitest';
import { saving } from '../../../components/kit/keys/busy.ts';
import { formValues, reduceForm } from '../../../components/ui/forms/form-state.ts';
import { secretForm } from '../../../components/workers/worker-actions.ts';

const work = { busy: saving, run: async () => ({}) };

/** Returns the result of a form with these typed values, and the work that the form requests. */
function typed(purpose: 'create' | 'edit', values: readonly string[]) {
  const inputs: unknown[] = [];
  const dialog = secretForm('site', purpose === 'create' ? undefined : 'TOKEN', (wanted) => {
    inputs.push(wanted);
    return work;
  });
  const form = values.reduce(
    (now, value) => reduceForm(reduceForm(now, { type: 'typed', value }), { type: 'next' }),
    dialog.form,
  );
  return { submitted: dialog.submit?.(formValues(form)), wishes: inputs };
}

test('hides the value of a secret', () => {
  for (const name of [undefined, 'TOKEN']) {
    const text = secretForm('site', name, () => work).form.fields.find((field) => field.name === 'text');
    expect(text?.hidden).toBe(true);
  }
});

test('parses the form of a secret; a new secret replaces an existing secret only after a question', () => {
  expect(typed('create', ['NEW', 'word'])).toEqual({
    submitted: { work },
    wishes: [{ name: 'NEW', text: 'word', replaces: false }],
  });
  expect(typed('edit', ['other'])).toEqual({
    submitted: { work },
    wishes: [{ name: 'TOKEN', text: 'other', replaces: true }],
  });
});

test.each([
  ['a name that is not an identifier', ['not-one', 'x'], ['name']],
  ['an empty value', ['NEW', ''], ['text']],
  ['both', ['', ''], ['name', 'text']],
])('reports errors at the fields: %s', (_, values, fields) => {
  const { submitted } = typed('create', values);
  expect(submitted && 'errors' in submitted && Object.keys(submitted.errors)).toEqual(fields);
});
