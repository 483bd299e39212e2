import { grades } from '../../../model/doctor/check.ts';
import { checkFacts } from '../../../model/doctor/check-shape.ts';
import { identity, listedProfile } from '../../../model/session/session-shape.ts';
import {
  anyOf,
  bool,
  count,
  list,
  object,
  oneOf,
  only,
  optional,
  text,
  texts,
  time,
} from '../../../model/shape.ts';
import { noJson, value } from '../../output/answer-shape.ts';

const name = text('Name of the profile');
const added = object({
  name,
  chosen: bool('Whether the profile is now the active profile'),
  verified: bool('Whether the credentials were verified with the platform'),
});

const settingFields = { name: text('Name of the setting'), value: text('Value in effect') };

const settingValue = object(settingFields);

const settingChange = object({ ...settingFields, before: text('Value in effect before the change') });

const grade = (about: string) => oneOf(grades, about);

/** In addition to name, grade and message, a check can have other fields. */
const check = object({
  name: text('Name of the check; stable between versions'),
  grade: grade('Grade of this check'),
  message: text('Description of the result'),
  hint: optional(text('Advice on what to do')),
  ...checkFacts,
});

const trace = object({
  name: text('Name of the trace, as in docs/traces.md; unknown for files that this version does not write'),
  path: text('The file, or the folder that contains the files'),
  about: text('Description of the contents of the files'),
  files: count('Number of files'),
  size: count('Total size in bytes'),
  mode: text('Combined permissions of the files, as four octal digits'),
  folderMode: optional(text('Permissions of the folder; absent for a single file')),
  oldest: time('Earliest time at which one of the files was last changed'),
  newest: time('Latest time at which one of the files was changed'),
  lifetime: text('Description of how long the files are kept'),
  remove: text('Command that removes the files'),
  newer: count('Number of files that only a newer edgectl can read'),
});

export const sessionAnswers = {
  console: noJson('The console.'),
  'profile add': value(added),
  'profile login': value(added),
  'profile list': value(list(listedProfile, 'Profiles, the built-in one first')),
  'profile use': value(object({ name, chosen: only(true, 'This is now the active profile') })),
  'profile bind': value(object({ name, path: text('File that binds the folder') })),
  'profile unbind': value(object({ path: text('File that was deleted') })),
  'profile lock': value(
    object({
      name,
      locked: only(true, 'The profile is locked'),
      readOnlyToken: bool('Whether a read-only token is stored unencrypted'),
    }),
  ),
  'profile unlock': value(object({ name, locked: only(false, 'The profile is no longer locked') })),
  'profile remove': value(object({ name, removed: only(true, 'The profile was removed') })),
  whoami: value(identity),
  doctor: value(
    anyOf([
      object({
        grade: grade('The most severe grade of all checks'),
        checks: list(check, 'Checks, in the order they ran'),
      }),
      object({ traces: list(trace, 'With --traces: what is stored on this machine, sorted by path') }),
    ]),
    'Printed even if there is a problem (exit code 7, or 4 without credentials).',
  ),
  'setting list': value(
    list(
      object({
        name: text('Name of the setting'),
        value: text('Value in effect'),
        set: bool('Whether a value has been set (otherwise the default applies)'),
        values: texts('Possible values'),
        about: text('Description of the setting'),
      }),
      'All settings',
    ),
  ),
  'setting get': value(settingValue),
  'setting set': value(settingChange),
  'setting unset': value(settingChange),
} as const;
