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
} from '../../../model/shape.ts';
import { noJson, value } from '../../output/answer-shape.ts';

const name = text('Name of the profile');
const signsInWith = nullable(
  oneOf(['token', 'key'], 'API token, or e-mail and key; null where it needs none'),
);

const profile = object({
  name,
  chosen: bool('Whether it is used where nothing else is said'),
  builtIn: bool('Whether it is always there: the sandbox'),
  bound: bool('Whether this folder is bound to it'),
  apiBaseUrl: nullable(text('Base URL of its platform')),
  signsInWith,
  email: nullable(text('E-mail that goes with a key')),
  accountId: nullable(text('Its account')),
  zoneId: nullable(text('Its zone')),
  requestBudget: nullable(count('Requests in five minutes at most')),
  readOnly: bool('Whether it refuses what changes something'),
  fault: nullable(text('Why it cannot be read, in words')),
});

const added = object({
  name,
  chosen: bool('Whether it is now the active profile'),
  verified: bool('Whether the platform was asked'),
});

const settingFields = { name: text('Name of the setting'), value: text('What holds') };

const settingValue = object(settingFields);

const settingChange = object({ ...settingFields, before: text('What held before') });

const grade = (about: string) => oneOf(['ok', 'warning', 'wrong'], about);

const source = anyOf([
  object({
    kind: only('environment', 'Variables'),
    family: oneOf(['EDGECTL', 'CLOUDFLARE'], 'Whose variables'),
    variables: text('Their names'),
  }),
  object({
    kind: only('profile', 'A profile'),
    name,
    by: oneOf(['flag', 'environment', 'folder', 'choice'], 'By what it was picked'),
  }),
]);

/** In addition to name, grade and message, each check has its own fields. */
const check = object({
  name: text('Stays the same from version to version'),
  grade: grade('Of this check'),
  message: text('What was found, for people'),
  hint: optional(text('What can be done, for people')),
  version: optional(text('version, node: the version')),
  path: optional(text('node, configuration, folders: the file or folder')),
  platform: optional(text('node: the operating system')),
  arch: optional(text('node: the processor')),
  environment: optional(text('configuration: the environment that was chosen')),
  bindings: optional(texts('configuration: names of the bindings')),
  checked: optional(count('bindings: ids and names that were checked')),
  faults: optional(count('bindings: how many are malformed or missing')),
  unread: optional(count('bindings: how many the credentials may not read')),
  damaged: optional(texts('profiles: names of those whose file cannot be used')),
  foreign: optional(text('configuration: a project of another tool that was found, which is not read')),
  source: optional(source),
  code: optional(text('Kind of the failure, as in the error on stderr')),
  status: optional(count('HTTP status of the failure')),
  baseUrl: optional(nullable(text('platform: base URL; null in this process'))),
  milliseconds: optional(number('platform: until it answered')),
  folder: optional(text('platform: of local data')),
  aheadSeconds: optional(number('clock: by how much this machine is ahead')),
  tokenStatus: optional(text('sign-in: active, disabled, expired')),
  expires: optional(text('sign-in: when the token expires, RFC 3339')),
  id: optional(text('account, zone: the id')),
  from: optional(text('account, zone: where it was found, in words')),
  reached: optional(count('account, zone: how many the credentials reach')),
  permission: optional(text('permission-…: the name on the page of tokens')),
  commands: optional(texts('permission-…: commands that need it')),
  read: optional(nullable(bool('permission-…: whether it can be read; null where that is not known'))),
  write: optional(nullable(bool('permission-…: whether it can be changed; null where that is not known'))),
  mode: optional(text('folders: permissions, four octal digits')),
  uid: optional(number('folders: whose it is')),
  free: optional(number('folders: bytes of room')),
  paths: optional(texts('profile-files: files that others can read')),
  isTerminal: optional(bool('terminal: whether there is one')),
  columns: optional(count('terminal: its width')),
  rows: optional(count('terminal: its height')),
  term: optional(text('terminal: what it calls itself')),
  colors: optional(number('terminal: how many colours')),
});

export const sessionAnswers = {
  console: noJson('The console.'),
  'profile add': value(added),
  'profile login': value(added),
  'profile list': value(list(profile, 'The built-in one first')),
  'profile use': value(object({ name, chosen: only(true, 'It is now the active profile') })),
  'profile bind': value(object({ name, path: text('The file that says so') })),
  'profile unbind': value(object({ path: text('The file that was removed') })),
  'profile remove': value(object({ name, removed: only(true, 'It is gone') })),
  whoami: value(
    object({
      profile: text('Name of the profile; environment, sandbox or local where it is none'),
      apiBaseUrl: nullable(text('Of the platform; null where it runs in this process')),
      signsInWith,
      email: optional(text('Of the user, where the credentials may read it')),
      accountId: optional(text('Account to act on; absent if none is chosen')),
      accounts: list(
        object({ id: text('32 hexadecimal digits'), name: text('Its name') }),
        'Accounts that the credentials reach',
      ),
    }),
  ),
  doctor: value(
    object({
      grade: grade('The worst of all'),
      checks: list(check, 'In the order in which they were made'),
    }),
    'Printed even if there is a problem (exit code 7, or 4 without credentials).',
  ),
  'setting list': value(
    list(
      object({
        name: text('Name of the setting'),
        value: text('What holds'),
        set: bool('Whether somebody has set it'),
        values: texts('What it can be'),
        about: text('What it does, for people'),
      }),
      'All settings',
    ),
  ),
  'setting get': value(settingValue),
  'setting set': value(settingChange),
  'setting unset': value(settingChange),
} as const;
