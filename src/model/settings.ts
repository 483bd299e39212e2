import { isKeyName, keyForm } from './instructions/link-key.ts';
import { isTemplateName, templateForm } from './instructions/template.ts';

const foldersForm = '/FOLDER[:/FOLDER]';

/** Folders as the setting trusted-folders has them, separated by colons; a colon or a backslash in a path has `\` before it. */
export function joinFolders(folders: readonly string[]): string {
  return folders.map((folder) => folder.replace(/[\\:]/g, '\\$&')).join(':');
}

/** The folders in a value of trusted-folders. */
export function splitFolders(value: string): readonly string[] {
  const folders = [''];
  for (const [part, escaped] of value.matchAll(/\\([\\:])|./gs)) {
    if (part === ':') folders.push('');
    else folders.push((folders.pop() ?? '') + (escaped ?? part));
  }
  return folders;
}

/** Whether a text has a form that a setting can have. */
const forms = {
  [templateForm]: isTemplateName,
  [keyForm]: isKeyName,
  [foldersForm]: (text: string) => splitFolders(text).every((folder) => folder.startsWith('/')),
};

/** A choice of the user that holds in every session. The first value is the one that nobody has to set. */
export const settingTable = {
  undo: {
    values: ['on', 'off'],
    about: 'Whether what a delete or an overwrite takes away is kept, so that it can be put back',
  },
  confirm: {
    values: ['all', 'containers'],
    about:
      'What the console asks about: every delete, or not those of one value, object or record that undo keeps',
  },
  'read-only': {
    values: ['off', 'production'],
    about:
      'Whether sessions on the production data of a platform only read; the sandbox, local data and preview namespaces can be written',
  },
  theme: {
    values: ['auto', 'dark', 'light', 'high-contrast', 'mono'],
    about: 'The colours of the console; auto asks the terminal whether it is dark or light',
  },
  mouse: {
    values: ['off', 'on'],
    about:
      'Whether the console takes clicks, the wheel and drags; the terminal selects text then with Shift held',
  },
  'screen-reader': {
    values: ['off', 'on'],
    about:
      'Whether the console writes what changes as lines, one after the other, instead of drawing a screen',
  },
  'trusted-folders': {
    values: ['none'],
    form: foldersForm,
    about:
      'Folders whose configuration is used even if it belongs to another user, and whose files a worker may be bundled from; in a path, write a colon as \\: and a backslash as \\\\',
  },
  'domain-connect': {
    values: ['off'],
    form: templateForm,
    about:
      'Your template of Domain Connect, for a link in hostname instructions by which a DNS provider enters the records itself',
  },
  'domain-connect-key': {
    values: ['off'],
    form: keyForm,
    about:
      'The key by which those links are signed, for a template with syncPubKeyDomain: the label of its TXT record there, and the file of the private key',
  },
} as const satisfies Readonly<Record<string, SettingKind>>;

interface SettingKind {
  /** Words that it can have. */
  readonly values: readonly string[];
  /** It can have a text of this form as well. */
  readonly form?: keyof typeof forms;
  readonly about: string;
}

export type SettingName = keyof typeof settingTable;

type ValueOf<Kind extends SettingKind> = Kind extends { form: string } ? string : Kind['values'][number];

export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof settingTable)[Name]> };

export const settingNames = Object.keys(settingTable) as readonly SettingName[];

export function isSettingName(text: string): text is SettingName {
  return Object.hasOwn(settingTable, text);
}

/** The choices that a setting has, in words. */
export function settingChoices(name: SettingName): readonly string[] {
  const { values, form }: SettingKind = settingTable[name];
  return form === undefined ? values : [...values, form];
}

export function canHave(name: SettingName, value: string): boolean {
  const { values, form }: SettingKind = settingTable[name];
  return values.includes(value) || (form !== undefined && forms[form](value));
}
