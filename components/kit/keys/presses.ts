import type { Key } from 'ink';

/** The name of a key press in the keymap: a printable character or a key name, optionally with the prefix `ctrl+`, `alt+` or `shift+`. */
export type Press = string;

const namedKeys = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const;

/** Returns the name of a press that Ink reports; an empty string if it has no name. */
export function toPress(input: string, key: Key): Press {
  if (key.tab) return key.shift ? 'shift+tab' : 'tab';
  const name = namedKeys.find(([flag]) => key[flag])?.[1] ?? (input === ' ' ? 'space' : input);
  if (name === '') return '';
  return `${key.ctrl ? 'ctrl+' : ''}${key.meta && name !== 'esc' ? 'alt+' : ''}${name}`;
}

/** Returns the name of a press of Ctrl and a letter from the terminal's input; undefined for any other input. */
export function toControlPress(sent: string): Press | undefined {
  return /^[\x01-\x1a]$/.test(sent) ? `ctrl+${String.fromCharCode(sent.charCodeAt(0) + 96)}` : undefined;
}

const pressNames: ReadonlySet<string> = new Set([...namedKeys.map(([, name]) => name), 'tab', 'space']);

/** Returns whether a string is a valid name of a press. */
export function isPress(text: string): boolean {
  const [, name = ''] = /^(?:ctrl\+|alt\+|shift\+(?=tab$))?(.+)$/su.exec(text) ?? [];
  return pressNames.has(name) || /^[^\s\p{C}]$/u.test(name);
}

const displayNames: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  home: 'Home',
  end: 'End',
  enter: 'Enter',
  esc: 'Esc',
  tab: 'Tab',
  'shift+tab': 'Shift-Tab',
  'alt+enter': 'Alt-Enter',
  delete: 'Del',
  backspace: 'Backspace',
  space: 'Space',
};

/** Formats a press for display: `Ctrl-C`, `PgDn`, `↑`, `q`. */
export function formatPress(press: Press): string {
  const known = displayNames[press];
  if (known !== undefined) return known;
  const [modifier, letter] = press.split('+');
  if (modifier === 'ctrl' && letter) return `Ctrl-${letter.toUpperCase()}`;
  if (modifier === 'alt' && letter) return `Alt-${letter}`;
  return press;
}

const sequences: Readonly<Record<string, string>> = {
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  home: '\u001b[H',
  end: '\u001b[F',
  enter: '\r',
  esc: '\u001b',
  backspace: '\u007f',
  delete: '\u001b[3~',
  tab: '\t',
  'shift+tab': '\u001b[Z',
  space: ' ',
};

/** Returns the input that a terminal sends for a press. */
export function toTerminalInput(press: Press): string {
  const [, modifier, name = ''] = /^(ctrl|alt)\+(.+)$/s.exec(press) ?? [];
  if (modifier === 'alt') return `\u001b${toTerminalInput(name)}`;
  if (modifier === 'ctrl' && /^[a-z]$/.test(name)) return String.fromCharCode(name.charCodeAt(0) - 96);
  return sequences[press] ?? press;
}
