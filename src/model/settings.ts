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
    about: 'Whether sessions on the production data of a platform only read, unless EDGECTL_READ_ONLY=0',
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
} as const satisfies Readonly<Record<string, { readonly values: readonly string[]; readonly about: string }>>;

export type SettingName = keyof typeof settingTable;

export type Settings = { readonly [Name in SettingName]: (typeof settingTable)[Name]['values'][number] };

export const settingNames = Object.keys(settingTable) as readonly SettingName[];

export function isSettingName(text: string): text is SettingName {
  return Object.hasOwn(settingTable, text);
}
