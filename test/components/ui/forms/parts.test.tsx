// Requirements: questions start on No, and a form never loses typed input.
import { expect, test, vi } from 'vitest';
import { Confirm } from '../../../../components/ui/forms/Confirm.tsx';
import { DialogBox, placeDialog } from '../../../../components/ui/forms/DialogBox.tsx';
import type { Dialog } from '../../../../components/ui/forms/dialog.ts';
import {
  type DialogLine,
  differenceLine,
  fitLines,
  foldLines,
} from '../../../../components/ui/forms/dialog-lines.ts';
import { compareLines } from '../../../../components/ui/forms/difference-rows.ts';
import { FormBox } from '../../../../components/ui/forms/FormBox.tsx';
import { openForm, reduceForm } from '../../../../components/ui/forms/form-state.ts';
import { MenuBox } from '../../../../components/ui/forms/Menu.tsx';
import { wholeRegion } from '../../../../components/ui/layout/layout.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { renderPart } from '../part.tsx';

const question = {
  question: 'Delete the key a?',
  lost: ['Its value is lost.'],
  danger: 'permanent',
  yes: 'delete it',
} as const;

test('a question lists what is lost, selects No first, and accepts y', async () => {
  const answers: string[] = [];
  const { lines, type } = renderPart(
    <Confirm
      question={question}
      active
      height={8}
      confirm={() => answers.push('yes')}
      cancel={() => answers.push('no')}
    />,
  );
  expect(lines().slice(1)).toEqual([
    'Delete the key a?',
    'Its value is lost.',
    '> No, change nothing',
    '  Yes: delete it',
  ]);
  await type('\r');
  await vi.waitFor(() => expect(answers).toEqual(['no']));
  await type('y');
  await vi.waitFor(() => expect(answers).toEqual(['no', 'yes']));
});

test('keeps the answers of a question on a short screen', () => {
  const { text } = renderPart(
    <Confirm question={question} active height={3} confirm={() => {}} cancel={() => {}} />,
    { rows: 10 },
  );
  expect(text()).toContain('> No, change nothing');
  expect(text()).toContain('Yes: delete it');
});

const form = openForm('New key', [
  { name: 'name', label: 'Name', value: '' },
  { name: 'value', label: 'Value', value: 'old', note: 'Empty is a value.' },
  { name: 'token', label: 'Token', value: 'secret', hidden: true },
]);

function drawForm(drawn: typeof form, height = 12) {
  return (
    <FormBox form={drawn} active height={height} dispatch={() => {}} save={() => {}} cancel={() => {}} />
  );
}

test('shows each field of a form with its label and note, marks the focused field, and hides secrets', () => {
  const { lines, text } = renderPart(drawForm(form));
  expect(text()).toContain('New key');
  expect(lines().find((line) => line.includes('Name'))).toMatch(/^> Name/);
  expect(lines().find((line) => line.includes('Value'))).toMatch(/^ {2}Value {2,}old/);
  expect(text()).toContain('Empty is a value.');
  expect(text()).not.toContain('secret');
  expect(text()).toContain('******');
});

test('names the keys that change the focused choice, if there is room', () => {
  const choice = openForm('New key', [
    {
      name: 'kind',
      label: 'Kind',
      value: 'text',
      choices: [
        { label: 'text', value: 'text' },
        { label: 'file', value: 'file' },
      ],
    },
    { name: 'value', label: 'Value', value: '' },
  ]);
  expect(renderPart(drawForm(choice)).text()).toContain('> Kind   ‹ text ›  ←→ change');
  const unfocused = drawForm(reduceForm(choice, { type: 'focused', index: 1 }));
  expect(renderPart(unfocused).text()).not.toContain('change');
  expect(renderPart(drawForm(choice), { columns: 20 }).text()).not.toContain('change');
});

test('shows the explanation of each value after it if there is room, otherwise only the chosen value, explained below', () => {
  const wildcard = openForm('New hostname', [
    {
      name: 'wildcard',
      label: 'Wildcard',
      value: 'no',
      choices: [
        { label: 'yes', value: 'yes', about: 'the certificate also covers its subdomains' },
        { label: 'no', value: 'no', about: 'the certificate covers the hostname only' },
      ],
    },
    { name: 'origin', label: 'Origin', value: '' },
  ]);
  const read = (form: typeof wildcard, columns: number) =>
    renderPart(drawForm(form), { columns })
      .lines()
      .map((line) => line.trimEnd())
      .filter((line) => line !== '' && !line.startsWith('─'));
  expect(read(wildcard, 80)).toEqual([
    'New hostname',
    '> Wildcard    yes: the certificate also covers its subdomains',
    '            ‹ no: the certificate covers the hostname only ›  ←→ change',
    '  Origin',
  ]);
  expect(read(wildcard, 40)).toEqual([
    'New hostname',
    '> Wildcard  ‹ no ›  2 of 2  ←→ change',
    '    the certificate covers the hostname',
    '    only',
    '  Origin',
  ]);
  expect(read(reduceForm(wildcard, { type: 'focused', index: 1 }), 40)).toEqual([
    'New hostname',
    '  Wildcard  ‹ no ›',
    '> Origin',
  ]);
});

test('draws the chosen value of the focused field once, and with one cursor', async () => {
  const kinds = ['text', 'file', 'link'].map((value) => ({ label: value, value }));
  const choice = openForm('New key', [
    { name: 'kind', label: 'Kind', value: 'text', choices: kinds },
    { name: 'value', label: 'Value', value: '' },
  ]);
  const heard: unknown[] = [];
  const draw = (height: number) => (
    <FormBox
      form={choice}
      active
      height={height}
      dispatch={(event) => heard.push(event)}
      save={() => {}}
      cancel={() => {}}
    />
  );
  const { lines, type, again } = renderPart(draw(9));
  const shown = () => lines().map((line) => line.trimEnd());
  expect(shown().slice(1, 6)).toEqual([
    'New key',
    '> Kind   ‹ text ›  ←→ change',
    '           file',
    '           link',
    '  Value',
  ]);
  await type('\u001b[B');
  await vi.waitFor(() =>
    expect(shown().slice(2, 5)).toEqual([
      '> Kind     text',
      '         ‹ file ›  ←→ change',
      '           link',
    ]),
  );
  expect(heard).toContainEqual({ type: 'typed', value: 'file' });
  again(draw(3));
  await vi.waitFor(() =>
    expect(shown()).toEqual(['New key', '> Kind   ‹ file ›  2 of 3  ←→ change', '  Value']),
  );
  await type('\u001b[B');
  await vi.waitFor(() => expect(shown()[1]).toBe('> Kind   ‹ link ›  3 of 3  ←→ change'));
});

test('shows the position of the focused field in the border that contains the title', () => {
  const fields = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, label: name, value: '' }));
  const long = reduceForm(openForm('New key', fields), { type: 'focused', index: 2 });
  const dialog: Dialog<string> = { kind: 'form', form: long, submit: () => ({ errors: {} }) };
  const draw = (height: number) =>
    renderPart(
      <DialogBox
        dialog={dialog}
        place={{ isBelow: true, height, rows: height + 2, region: wholeRegion(framed) }}
        active
        perform={() => {}}
        close={() => {}}
      />,
      framed,
    ).lines()[0];
  expect(draw(3)).toMatch(/^╭─ New key ─+ 3 of 6 ↑↓ ─╮$/);
  expect(draw(6)).toMatch(/^╭─ New key ─+╮$/);
});

test('uses the row of the rule for the remark of the focused field if the screen has no other row', () => {
  const fields = ['a', 'b', 'c'].map((name) => ({ name, label: name, value: '', note: `About ${name}.` }));
  const draw = (height: number) => renderPart(drawForm(openForm('New key', fields), height)).lines();
  expect(draw(6)[0]).toBe('New key');
  expect(draw(5)[2]).toMatch(/^ +About a\.$/);
  expect(draw(9)[0]).toMatch(/^─+$/);
});

test('shows an error instead of the note of its field and a failure at the top, and keeps typed text', () => {
  const { text, again } = renderPart(
    drawForm(reduceForm(form, { type: 'refused', errors: { value: 'Not that.' } })),
  );
  expect(text()).toContain('Not that.');
  expect(text()).not.toContain('Empty is a value.');
  const failed = reduceForm(reduceForm(form, { type: 'saving' }), {
    type: 'failed',
    problem: new Problem('unreachable', 'The platform refused.'),
  });
  again(drawForm(failed));
  expect(text()).toContain('The platform refused.');
  expect(text()).toContain('old');
});

test('keeps the focused field of a form on a short screen', () => {
  const { text } = renderPart(drawForm(reduceForm(form, { type: 'focused', index: 2 }), 3), { rows: 10 });
  expect(text()).toMatch(/> Token/);
});

test('reports the content of a field while the user types, and saves the form on Enter', async () => {
  const heard: unknown[] = [];
  const { type } = renderPart(
    <FormBox
      form={form}
      active
      height={12}
      dispatch={(event) => heard.push(event)}
      save={() => heard.push('save')}
      cancel={() => heard.push('cancel')}
    />,
  );
  await type('x');
  await vi.waitFor(() => expect(heard).toContainEqual({ type: 'typed', value: 'x' }));
  await type('\r');
  await vi.waitFor(() => expect(heard).toContain('save'));
  await type('\u001b');
  await vi.waitFor(() => expect(heard).toContain('cancel'));
});

test('truncates the labels of a menu at the screen width, and returns the chosen item', async () => {
  const taken: string[] = [];
  const items = [
    { label: 'copy as text', value: 'text' },
    { label: `save as a page: ${'x'.repeat(60)}`, value: 'page' },
  ];
  const { lines, type } = renderPart(
    <MenuBox
      title="Hand over"
      items={items}
      initial={1}
      active
      height={6}
      onChoose={(value) => taken.push(value)}
      onCancel={() => taken.push('cancel')}
    />,
    { columns: 40 },
  );
  expect(lines()[0]).toBe('Hand over');
  expect(lines().at(-1)).toMatch(/^> save as a page: x+/);
  expect(lines().every((line) => line.length <= 40)).toBe(true);
  await type('\r');
  await vi.waitFor(() => expect(taken).toEqual(['page']));
});

test('shows the current value of a menu, puts hints at the end, and explains why an item cannot be chosen', async () => {
  const taken: string[] = [];
  const items = ['all', 'active', 'moved', 'pending', 'blocked', 'kept'].map((label, at) => ({
    label,
    value: label,
    hint: String(at * 10),
    isPresent: label === 'moved',
    ...(label === 'blocked' && { refusal: 'none is blocked' }),
  }));
  const { lines, text, type } = renderPart(
    <MenuBox
      title="Show only"
      items={items}
      initial={2}
      active
      height={6}
      onChoose={(value) => taken.push(value)}
      onCancel={() => taken.push('cancel')}
    />,
    { columns: 40 },
  );
  expect(lines()[0]).toBe('Show only');
  expect(lines()[1]).toMatch(/^type to filter {20,}3 of 6$/);
  expect(lines().find((line) => line.startsWith('>'))).toMatch(/^> ✓ moved {17}20 +$/);
  // An unavailable item shows the reason, and choosing the item does nothing.
  for (let press = 0; press < 2; press++) await type('\u001b[B');
  await vi.waitFor(() => expect(text()).toMatch(/^> {3}blocked +none is blocked *$/m));
  await type('\r');
  await type('\u001b[A');
  await vi.waitFor(() => expect(text()).toMatch(/^> {3}pending +30 *$/m));
  await type('\r');
  await vi.waitFor(() => expect(taken).toEqual(['pending']));
});

// A permanent loss has the most prominent separator line, in color and in form.
test.each([
  ['permanent', /^ PERMANENT: cannot be undone {2,}$/],
  ['undoable', /^── can be undone ─{10,}$/],
  ['change', /^─{30,}$/],
] as const)('draws a separator line of its own for a question of the danger level "%s"', (danger, rule) => {
  const { lines } = renderPart(
    <Confirm question={{ ...question, danger }} active height={8} confirm={() => {}} cancel={() => {}} />,
  );
  expect(lines()[0]?.padEnd(60)).toMatch(rule);
});

test('draws the same separator line in a form that destroys data as in a question', () => {
  const { lines } = renderPart(drawForm({ ...form, danger: 'permanent' }));
  expect(lines()[0]).toContain('PERMANENT: cannot be undone');
});

test('draws diff lines in a question like diff lines in a comparison', () => {
  const surface = { columns: 10, redact: (text: string) => text };
  const lines = ['From line 1:', differenceLine('-', 'old value', 20), differenceLine('+', 'new', 20)];
  expect(foldLines(lines, surface)).toEqual([
    { text: 'From line', role: undefined },
    { text: '1:', role: undefined },
    { text: '- old valu', role: 'removed' },
    { text: 'e', role: 'removed' },
    { text: '+ new', role: 'added' },
  ]);
});

const flexible: readonly DialogLine[] = [
  {
    parts: ['PUT /', { long: 'key'.repeat(40), share: 1 }, { long: '?ttl=60', share: Infinity }],
    isEssential: true,
  },
  { parts: ['From ', { long: 'source'.repeat(10), share: 2 }] },
  'The program.',
  'The rule.',
];

/** Returns the rows of a dialog of 38 columns. */
const fitRows = (lines: readonly DialogLine[], room: number) =>
  fitLines(lines, { columns: 38, redact: (text) => text }, room).map(({ text }) => text);

test('shortens the middle of long parts until a dialog fits, from the part with the smallest share', () => {
  const whole = `PUT /${'key'.repeat(40)}?ttl=60From ${'source'.repeat(10)}The program.The rule.`;
  expect(fitRows(flexible, 8).join('')).toBe(whole);
  for (const room of [7, 6, 5, 4]) {
    const rows = fitRows(flexible, room);
    expect(rows.length).toBeLessThanOrEqual(room);
    expect(rows.join('')).toMatch(/^PUT \/keyk\w*…\w*key\?ttl=60From source.*sourceThe program\.The rule\.$/);
  }
  expect(fitRows(flexible, 7).join('')).toContain('source'.repeat(10));
});

test('hides the last lines of a dialog in which no long part can be shorter, and shows how many', () => {
  const rows = fitRows(flexible, 3);
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/^PUT \/key\w*…\w*key\?ttl=60$/);
  expect(rows[1]).toMatch(/^From source/);
  expect(rows[2]).toBe('2 more lines are hidden. Enlarge the …');
  expect(fitRows(flexible, 2)[1]).toMatch(/^[34] more lines are hidden\./);
});

test('shortens an essential part only if no other line is left', () => {
  const query = `?${'a=1&'.repeat(20)}force=true`;
  const lines: DialogLine[] = [
    { parts: ['PUT ', { long: query, share: Infinity }], isEssential: true },
    { parts: [{ long: 'other'.repeat(30), share: 1 }] },
  ];
  expect(fitRows(lines, 5).join('')).toContain(query);
  expect(fitRows(lines, 4).join('')).toContain(query);
  expect(fitRows(lines, 3).join('')).toMatch(/^PUT \?a=1.*…/);
});

test('redacts a long part of a dialog before it shortens the part', () => {
  const secret = 's3cr3t'.repeat(10);
  const redact = (text: string) => text.replaceAll(secret, '[token]');
  const lines = [{ parts: ['PUT /', { long: `a/${secret}/${'b'.repeat(200)}`, share: 1 }] }];
  const shown = fitLines(lines, { columns: 40, redact }, 1).map(({ text }) => text);
  expect(shown).toEqual([expect.stringContaining('[token]')]);
  expect(shown.join('')).not.toContain('s3cr');
});

test('redacts a credential that two parts of a line contain together', () => {
  const redact = (text: string) => text.replaceAll('s3cr3t', '[token]');
  const lines = [{ parts: ['PUT /s3c', { long: `r3t/${'b'.repeat(20)}`, share: 1 }] }];
  const shown = fitLines(lines, { columns: 80, redact }, 3).map(({ text }) => text);
  expect(shown).toEqual([`PUT /[token]/${'b'.repeat(20)}`]);
});

test('opens the next question at No and at the top of its diff', async () => {
  const numbers = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const ask = (name: string): Dialog<string> => ({
    kind: 'confirm',
    question: {
      ...question,
      question: `Save ${name}?`,
      lost: [
        compareLines(
          numbers,
          numbers.map((line) => `${name} ${line}`),
          { sides: ['stored', 'new'] },
        ),
      ],
    },
    command: 'save',
  });
  const draw = (dialog: Dialog<string>) => (
    <DialogBox
      dialog={dialog}
      place={{
        isBelow: false,
        height: 9,
        rows: 9,
        region: { left: 0, width: 80, columns: 80, isFramed: false },
      }}
      active
      perform={() => {}}
      close={() => {}}
    />
  );
  const { text, type, again } = renderPart(draw(ask('a')));
  const first = text();
  expect(first).toContain('> No, change nothing');
  await type('\u001b[6~');
  await type('\u001b[B');
  await vi.waitFor(() => {
    expect(text()).toContain('PgUp');
    expect(text()).toContain('> Yes');
  });
  again(draw(ask('b')));
  expect(text()).toBe(first.replace('Save a?', 'Save b?').replaceAll(/ a line/g, ' b line'));
});

/** A screen with borders. */
const framed = { columns: 100, rows: 40 };

const token = 't0ken'.repeat(30);

test.each([
  ['a long secret', `Delete the key ${token}?`, (text: string) => text.replaceAll(token, '[redacted]'), 3],
  [
    'a secret shorter than its mark',
    `Delete ${'x'.repeat(76)}pin?`,
    (text: string) => text.replaceAll('pin', '[redacted]'),
    4,
  ],
])('measures a title with %s as the border draws the title', (_, title, redact, height) => {
  const dialog = {
    kind: 'confirm',
    question: { ...question, question: title, danger: 'change' },
    command: '',
  } as const;
  expect(placeDialog(dialog, { screen: framed, region: wholeRegion(framed), redact }, 30).height).toBe(
    height,
  );
});

test.each([
  ['change', 2],
  ['permanent', 3],
] as const)(
  'shows a whole diff in a question with the danger %s as soon as the question fits',
  (danger, others) => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const diff = compareLines(before, before.with(10, 'new'), { sides: ['stored', 'new'] });
    const dialog = { kind: 'confirm', question: { ...question, lost: [diff], danger }, command: '' } as const;
    const parts = { screen: framed, region: wholeRegion(framed), redact: (text: string) => text };
    // The dialog contains the names of the sides, 19 unchanged lines and 2 changed lines. The rows above and below are 3 rows of the pane
    // and 2 borders.
    const height = 22 + others;
    expect(placeDialog(dialog, parts, height + 5).height).toBe(height);
    expect(placeDialog(dialog, parts, height + 4).height).toBeLessThan(height);
  },
);
