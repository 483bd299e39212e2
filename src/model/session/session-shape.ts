import { anyOf, bool, count, list, nullable, object, oneOf, only, optional, text } from '../shape.ts';

export const credentialKind = oneOf(
  ['token', 'key'],
  'token: API token; key: email address and API key; null if no credentials are needed',
);

const signsInWith = nullable(credentialKind);

/** The source of the credentials, and how it was selected. */
export const credentialSource = anyOf([
  object({
    kind: only('environment', 'Environment variables'),
    family: oneOf(['EDGECTL', 'CLOUDFLARE'], 'Prefix of the variables'),
    variables: text('Names of the variables'),
  }),
  object({
    kind: only('profile', 'A profile'),
    name: text('Name of the profile'),
    by: oneOf(['flag', 'environment', 'folder', 'choice'], 'What selected the profile'),
    path: optional(text('File that binds the folder to the profile')),
  }),
]);

/** A profile in a list, without credentials. */
export const listedProfile = object({
  name: text('Name of the profile'),
  chosen: bool('Whether this is the active profile'),
  builtIn: bool('Whether the profile is built in (only the sandbox)'),
  bound: bool('Whether the current folder is bound to the profile'),
  apiBaseUrl: nullable(text('Base URL of the API')),
  signsInWith,
  email: nullable(text('Email address for an API key')),
  accountId: nullable(text('Id of the account')),
  zoneId: nullable(text('Id of the zone')),
  requestBudget: nullable(count('Maximum number of requests in five minutes')),
  readOnly: bool('Whether the profile refuses changes'),
  locked: bool('Whether changes require the passphrase'),
  fault: nullable(text('Why the profile cannot be read, in words')),
});

export const account = object({
  id: text('Id of the account: 32 hexadecimal digits'),
  name: text('Name of the account'),
});

/** The user's identity on a platform. */
export const identity = object({
  profile: text('Name of the profile; environment, sandbox or local if no profile is used'),
  apiBaseUrl: nullable(text('Base URL of the platform; null if the platform runs in this process')),
  signsInWith,
  email: optional(text('Email address of the user; absent if the credentials cannot read it')),
  accountId: optional(text('Id of the account to act on; absent if no account is selected')),
  accounts: list(account, 'Accounts that the credentials can access'),
});
