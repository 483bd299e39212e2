import { grades } from '../../../model/doctor/check.ts';
import { identity, listedProfile } from '../../../model/session/session-shape.ts';
import {
  anyOf,
  bool,
  count,
  list,
  nullable,
  number,
  object,
  oneOf,
  only,
  optional,
  text,
  texts,
  time,
} from '../../../model/shape.ts';
import { profilePickers } from '../../../profiles/credentials.ts';
import { noJson, value } from '../../output/answer-shape.ts';

const name = text('Name of the profile');
const added = object({
  name,
  chosen: bool('Whether it is now the active profile'),
  verified: bool('Whether the credentials were verified with the platform'),
});

const settingFields = { name: text('Name of the setting'), value: text('Value in effect') };

const settingValue = object(settingFields);

const settingChange = object({ ...settingFields, before: text('Value in effect before') });

const grade = (about: string) => oneOf(grades, about);

const source = anyOf([
  object({
    kind: only('environment', 'Environment variables'),
    family: oneOf(['EDGECTL', 'CLOUDFLARE'], 'Prefix of the variables'),
    variables: text('Names of the variables'),
  }),
  object({
    kind: only('profile', 'A profile'),
    name,
    by: oneOf(profilePickers, 'What selected the profile'),
    path: optional(text('File that binds the folder to the profile')),
  }),
]);

/** Each check also has its own fields, besides name, grade and message. */
const check = object({
  name: text('Name of the check; stable between versions'),
  grade: grade('Grade of this check'),
  message: text('Result, in words'),
  hint: optional(text('What to do, in words')),
  version: optional(text('version, node: the version')),
  latest: optional(text('newer-version: the version that npm offers')),
  path: optional(text('node, configuration, folders: the file or folder')),
  platform: optional(text('node: the operating system')),
  arch: optional(text('node: the CPU architecture')),
  environment: optional(text('configuration: the selected environment')),
  bindings: optional(texts('configuration: names of the bindings')),
  checked: optional(count('bindings: ids and names that were checked')),
  faults: optional(count('bindings: how many are malformed or missing')),
  unread: optional(count('bindings: how many the credentials cannot read')),
  damaged: optional(texts('profiles: names of profiles whose file is damaged')),
  foreign: optional(text('configuration: a configuration file of another tool, which is not read')),
  source: optional(source),
  code: optional(text('Error code, as in errors on stderr')),
  status: optional(count('HTTP status of the error')),
  baseUrl: optional(nullable(text('platform: base URL; null if it runs in this process'))),
  milliseconds: optional(number('platform: response time')),
  folder: optional(text('platform: folder of local data')),
  aheadSeconds: optional(number('clock: seconds that this machine is ahead')),
  tokenStatus: optional(text('sign-in: active, disabled, expired')),
  expires: optional(text('sign-in: when the token expires, RFC 3339')),
  id: optional(text('account, zone: the id')),
  from: optional(text('account, zone: source of the id, in words')),
  reached: optional(count('account, zone: how many the credentials can access')),
  permission: optional(text('permission-…: its name on the page for API tokens')),
  commands: optional(texts('permission-…: commands that need it')),
  read: optional(nullable(bool('permission-…: whether reading is allowed; null if unknown'))),
  write: optional(nullable(bool('permission-…: whether changes are allowed; null if unknown'))),
  mode: optional(text('folders: permissions, four octal digits')),
  uid: optional(number('folders: user id of the owner')),
  free: optional(number('folders: free bytes')),
  paths: optional(texts('profile-files: files that others can read')),
  isTerminal: optional(bool('terminal: whether stdout or stderr is a terminal')),
  columns: optional(count('terminal: width in columns')),
  rows: optional(count('terminal: height in rows')),
  term: optional(text('terminal: value of TERM')),
  colors: optional(number('terminal: number of colours')),
});

const trace = object({
  name: text('Name of the trace, as in docs/traces.md; unknown for files that this version does not write'),
  path: text('The file, or the folder that contains the files'),
  about: text('What they contain, in words'),
  files: count('Number of files'),
  size: count('Total bytes'),
  mode: text('Permissions of the files combined, four octal digits'),
  folderMode: optional(text('Permissions of the folder; absent for a single file')),
  oldest: time('When the first of them was changed'),
  newest: time('When the last of them was changed'),
  lifetime: text('How long they are kept, in words'),
  remove: text('Command that removes them'),
  newer: count('Number of files that only a newer edgectl reads'),
});

export const sessionAnswers = {
  console: noJson('The console.'),
  'profile add': value(added),
  'profile login': value(added),
  'profile list': value(list(listedProfile, 'Profiles, the built-in one first')),
  'profile use': value(object({ name, chosen: only(true, 'This is now the active profile') })),
  'profile bind': value(object({ name, path: text('File that binds the folder') })),
  'profile unbind': value(object({ path: text('File that was deleted') })),
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
        set: bool('Whether it has been set (otherwise the default applies)'),
        values: texts('Possible values'),
        about: text('What it does, in words'),
      }),
      'All settings',
    ),
  ),
  'setting get': value(settingValue),
  'setting set': value(settingChange),
  'setting unset': value(settingChange),
} as const;
