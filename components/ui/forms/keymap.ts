import type { Keymap, Shortcut, Situation } from '../../kit/keys/shortcut.ts';

/** Returns the label of Enter, the first hint in the footer of every form. */
const submitLabel = ({ submit = 'save' }: Situation) => submit;

const isAlone = ({ oneField }: Situation) => oneField === true;

function completeLabel({ completes, oneField }: Situation): string | undefined {
  if (completes !== true) return undefined;
  return oneField === true ? 'complete' : 'complete, next field';
}

/** The shortcuts that scroll a diff in a question or menu. A diff that does not fit shows these keys itself. */
const scrollShortcuts: ReadonlyArray<Shortcut<'scroll-up' | 'scroll-down'>> = [
  {
    press: ['pageup'],
    label: 'scroll up',
    about: 'Scroll up in a diff that does not fit on the screen',
    does: 'scroll-up',
    quiet: true,
  },
  {
    press: ['pagedown'],
    label: 'scroll down',
    about: 'Scroll down in a diff that does not fit on the screen',
    does: 'scroll-down',
    quiet: true,
  },
];

type DialogMode =
  | 'filter'
  | 'prefix'
  | 'contains'
  | 'search'
  | 'form'
  | 'choice'
  | 'confirm'
  | 'approval'
  | 'menu'
  | 'problem';

/** The shortcuts of dialogs. The text field itself handles `line`. */
export const dialogKeymaps: Pick<Keymap, DialogMode> = {
  filter: [
    {
      press: ['enter', 'down', 'tab'],
      label: 'keep',
      about: 'Keep the filter and go to the list',
      does: 'keep',
    },
    { press: ['esc'], label: 'clear', about: 'Clear the filter', does: 'clear' },
  ],
  prefix: [
    {
      press: ['enter'],
      label: 'ask the server',
      about: 'List the names with this prefix from the server (empty: all names)',
      does: 'apply',
    },
    { press: ['esc'], label: 'cancel', about: 'Keep the list unchanged', does: 'clear' },
  ],
  contains: [
    {
      press: ['enter'],
      label: 'ask the server',
      about: 'List only names that contain the string (empty: all names)',
      does: 'apply',
    },
    { press: ['esc'], label: 'cancel', about: 'Keep the list unchanged', does: 'clear' },
  ],
  search: [
    { press: ['enter'], label: 'find', about: 'Go to the first match', does: 'apply' },
    { press: ['esc'], label: 'cancel', about: 'Close the search', does: 'clear' },
  ],
  form: [
    {
      press: ['enter'],
      label: 'save',
      labelIn: submitLabel,
      about: 'Save from any field; if a field that usually needs a value is empty, go to it first',
      does: 'save',
    },
    {
      press: ['tab'],
      label: 'next field',
      labelIn: completeLabel,
      about: 'Complete the name or path, or go to the next field',
      does: 'complete',
      quietIn: (situation) => isAlone(situation) && situation.completes !== true,
    },
    { press: ['down'], label: 'next', about: 'Go to the next field', does: 'next', quiet: true },
    {
      press: ['shift+tab', 'up'],
      label: 'previous',
      about: 'Go to the previous field',
      does: 'previous',
      quietIn: isAlone,
    },
    {
      press: ['ctrl+j', 'alt+enter'],
      label: 'new line',
      about: 'Start a new line in a multi-line field',
      does: 'line',
      quiet: true,
    },
    { press: ['esc'], label: 'cancel', about: 'Close the form without saving', does: 'cancel' },
  ],
  choice: [
    {
      press: ['enter'],
      label: 'save',
      labelIn: submitLabel,
      about: 'Save from any field; if a field that usually needs a value is empty, go to it first',
      does: 'save',
    },
    { press: ['tab'], label: 'next field', about: 'Go to the next field', does: 'next', quietIn: isAlone },
    {
      press: ['left', 'right', 'up', 'down'],
      label: 'change',
      about: 'Choose another value; typed letters filter the values',
      does: 'choose',
      isPair: true,
    },
    {
      press: ['shift+tab'],
      label: 'previous',
      about: 'Go to the previous field',
      does: 'previous',
      quietIn: isAlone,
    },
    { press: ['esc'], label: 'cancel', about: 'Close the form without saving', does: 'cancel' },
  ],
  confirm: [
    { press: ['y'], label: 'yes', about: 'Answer Yes', does: 'yes' },
    { press: ['n'], label: 'no', about: 'Change nothing', does: 'cancel' },
    { press: ['up', 'down'], label: 'choose', about: 'Move between No and Yes', does: 'choose', quiet: true },
    { press: ['enter'], label: 'answer', about: 'Choose the selected answer (initially No)', does: 'answer' },
    ...scrollShortcuts,
    { press: ['esc'], label: 'cancel', about: 'Change nothing', does: 'cancel' },
  ],
  approval: [
    { press: ['ctrl+y'], label: 'approve', about: 'Approve the write once', does: 'approve' },
    {
      press: ['ctrl+r'],
      label: 'approve matching',
      about: 'Approve the write, and matching writes until the console closes',
      does: 'approve-same',
    },
    {
      press: ['ctrl+n', 'esc'],
      label: 'refuse',
      about: 'Refuse the write: it is not sent',
      does: 'refuse',
    },
    {
      press: ['up', 'down'],
      label: 'choose',
      about: 'Move between the answers',
      does: 'choose',
      quiet: true,
    },
    {
      press: ['enter'],
      label: 'answer',
      about: 'Choose the selected answer (initially Refuse)',
      does: 'answer',
    },
  ],
  menu: [
    // This shortcut comes first, because a narrow footer shows only the first action, and users find the arrow keys without a hint.
    { press: ['enter'], label: 'choose', about: 'Choose the selected entry', does: 'answer' },
    {
      press: ['up', 'down', 'j', 'k'],
      label: 'move',
      about:
        'Select another entry; other characters filter the entries (j and k too, if a word begins with them)',
      does: 'choose',
      isPair: true,
    },
    ...scrollShortcuts,
    {
      press: ['esc'],
      label: 'cancel',
      labelIn: ({ cancel = 'cancel' }) => cancel,
      about: 'Close the menu',
      does: 'cancel',
    },
  ],
  problem: [
    { press: ['r'], label: 'retry', about: 'Retry the failed action', does: 'retry' },
    { press: ['y'], label: 'copy', about: 'Copy the message', does: 'copy' },
    { press: ['esc'], label: 'dismiss', about: 'Close the message', does: 'dismiss' },
  ],
};

/** Actions of a form, and of a picker field in a form. */
export type FormAction = 'save' | 'complete' | 'next' | 'previous' | 'line' | 'cancel';
export type ChoiceAction = 'save' | 'choose' | 'next' | 'previous' | 'cancel';
