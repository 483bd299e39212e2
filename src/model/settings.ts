import { isKeyName, keyForm } from './instructions/link-key.ts';
import { isTemplateName, templateForm } from './instructions/template.ts';

const folderListForm = '/FOLDER[:/FOLDER]';

/** Formats folders for the setting trusted-folders. Colons separate folders; a `\` precedes each colon or backslash in a path. */
export function joinFolders(folders: readonly string[]): string {
  return folders.map((folder) => folder.replace(/[\\:]/g, '\\$&')).join(':');
}

/** Parses a value of the setting trusted-folders into its folders. */
export function splitFolders(value: string): readonly string[] {
  const folders = [''];
  for (const [part, escaped] of value.matchAll(/\\([\\:])|./gs)) {
    if (part === ':') folders.push('');
    else folders.push((folders.pop() ?? '') + (escaped ?? part));
  }
  return folders;
}

/** Validators of setting values. */
const forms = {
  [templateForm]: isTemplateName,
  [keyForm]: isKeyName,
  [folderListForm]: (text: string) => splitFolders(text).every((folder) => folder.startsWith('/')),
};

/** The user's settings for all sessions. The first value of each setting is its default. */
export const settingTable = {
  undo: {
    values: ['on', 'off'],
    about: 'Save deleted and overwritten data, so that it can be restored',
  },
  confirm: {
    values: ['all', 'containers'],
    about:
      'Deletes that require confirmation in the console: all, or all except deletes of a single value, object or record that undo saves',
  },
  'read-only': {
    values: ['off', 'production'],
    about:
      'Make production data on the platform read-only; the sandbox, local data and preview namespaces stay writable',
  },
  theme: {
    values: ['auto', 'dark', 'light', 'high-contrast', 'mono'],
    about: 'Colors of the console; auto detects whether the terminal is dark or light',
  },
  refresh: {
    values: ['on', 'off'],
    about: 'Refresh the visible views of the console automatically, within the request budget',
  },
  mouse: {
    values: ['off', 'on'],
    about: 'Enable clicks, the wheel and drags in the console; to select text in the terminal, hold Shift',
  },
  'screen-reader': {
    values: ['off', 'on'],
    about: 'Print changes in the console as lines, for a screen reader, instead of drawing a screen',
  },
  'trusted-folders': {
    values: ['none'],
    form: folderListForm,
    about:
      'Folders whose configuration is used even if another user owns it, and whose files workers can import; in a path, write a colon as \\: and a backslash as \\\\',
  },
  'update-check': {
    values: ['on', 'off'],
    about: 'Let the doctor ask npm for a newer version, at most once a day',
  },
  'domain-connect': {
    values: ['off'],
    form: templateForm,
    about:
      'Your Domain Connect template, for a link in hostname instructions that lets the DNS provider set the records',
  },
  'domain-connect-key': {
    values: ['off'],
    form: keyForm,
    about:
      "Key that signs Domain Connect links, for a template with syncPubKeyDomain: label of the key's TXT record, and path of the private key file",
  },
} as const satisfies Readonly<Record<string, SettingKind>>;

interface SettingKind {
  /** Allowed values. */
  readonly values: readonly string[];
  /** The form of other values that are also allowed. */
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

/** Returns the allowed values of a setting, including the form of other values. */
export function settingChoices(name: SettingName): readonly string[] {
  const { values, form }: SettingKind = settingTable[name];
  return form === undefined ? values : [...values, form];
}

export function isAllowedValue(name: SettingName, value: string): boolean {
  const { values, form }: SettingKind = settingTable[name];
  return values.includes(value) || (form !== undefined && forms[form](value));
}
