import { settingNames } from '../../../model/settings.ts';
import { declare, type Flags } from '../../parsing/declaration.ts';
import { displayFlags, localFlags } from '../../parsing/flags.ts';

const nameArgument = { about: 'Name of the profile' } as const;

export const openConsole = declare({
  words: 'console',
  about: 'Open the console (also: edgectl without a command)',
  effect: 'none',
  needs: 'account',
  arguments: {
    PLACE: {
      about:
        'Place to open: home, kv/NAMESPACE/KEY or PREFIX*, objects/BUCKET/FOLDER/, hostnames/NAME, workers/NAME, tasks',
      optional: true,
    },
  },
  flags: { ...localFlags, preview: { kind: 'boolean', about: 'Start with preview data' }, ...displayFlags },
  examples: [
    ['console --profile acme', 'browse and change an account'],
    ['console --local', 'browse the local data of this project'],
    ['console kv/SESSIONS/user:', 'open the key "user:", or list the keys that start with it'],
    ['console hostnames/shop.acme.com --profile acme', 'open a custom hostname'],
    ['console --sandbox --read-only', 'browse the sandbox without changing it'],
  ],
  notes: [
    'NAMESPACE is a binding, title or id. Special characters are percent-encoded as in a URL. In the console, press @ to copy the link to a view.',
  ],
});

/** Flags of commands that save credentials. */
const keepFlags = {
  brand: {
    kind: 'text',
    placeholder: 'WORD',
    about: "Prefix of the platform's field <WORD>_branding (default: cloudflare)",
  },
  'request-budget': {
    kind: 'number',
    placeholder: 'COUNT',
    about: 'Maximum number of requests in 5 minutes (default: 1,200)',
  },
  'no-verify': { kind: 'boolean', about: 'Save the credentials without verifying them with the platform' },
  replace: { kind: 'boolean', about: 'Overwrite an existing profile' },
  use: { kind: 'boolean', about: 'Make the new profile active' },
} as const satisfies Flags;

export const profileAdd = declare({
  words: 'profile add',
  about: 'Verify credentials and save them as a profile',
  effect: 'none',
  loss: { names: 'with --replace, the profile NAME' },
  needs: 'nothing',
  arguments: { NAME: nameArgument },
  flags: {
    email: {
      kind: 'text',
      placeholder: 'EMAIL',
      about: 'Sign in with this email address and an API key',
    },
    ...keepFlags,
  },
  examples: [
    ['profile add acme', 'prompt for an API token without showing it'],
    ['profile add acme --account-id 0f2a… --use < token.txt', 'read the token from standard input'],
    ['profile add acme-live --read-only', 'add a read-only profile'],
    ['profile add old --email me@example.org', 'prompt for an API key'],
  ],
  notes: ['Profiles are saved in files that only you can read (mode 0600).'],
});

export const profileLogin = declare({
  words: 'profile login',
  about: 'Create a token in the dashboard and save it as a profile',
  effect: 'none',
  loss: { names: 'with --replace, the profile NAME' },
  needs: 'nothing',
  arguments: { NAME: nameArgument },
  flags: {
    'no-browser': { kind: 'boolean', about: 'Print the URL of the page without opening it' },
    ...keepFlags,
  },
  examples: [
    ['profile login acme --use', 'open the page with the permissions filled in, then prompt for the token'],
    ['profile login acme-live --read-only', 'create a token with read permissions for a read-only profile'],
    ['profile login acme --no-browser < token.txt', 'print the URL, and read the token from standard input'],
  ],
  notes: [
    'The page is the dashboard page for new tokens. Select the accounts and zones of the token there, and remove permissions that the token ' +
      'does not need. edgectl doctor shows missing permissions later.',
  ],
});

export const profileBind = declare({
  words: 'profile bind',
  about: 'Bind a profile to this folder and its subfolders',
  effect: 'none',
  loss: { names: 'the binding of the folder' },
  needs: 'nothing',
  arguments: { NAME: { ...nameArgument, completes: 'profile' } },
  flags: {},
  examples: [['profile bind acme', 'write .edgectl-profile, which contains the name but no secret']],
  notes: [
    '--profile, and a profile or credentials in the environment, take precedence over the binding. The file is refused if it or its folder ' +
      'belongs to another user.',
    'If a checkout contains .edgectl-profile, edgectl asks once whether to use the profile. Without a terminal, a profile that was not accepted is ' +
      'read-only. If the active profile is read-only, the profile of the folder is read-only too.',
  ],
});

export const profileLock = declare({
  words: 'profile lock',
  about: 'Seal the credentials of a profile with a passphrase',
  effect: 'none',
  needs: 'nothing',
  arguments: { NAME: { ...nameArgument, completes: 'profile' } },
  flags: {
    'read-only-token': {
      kind: 'boolean',
      about: 'Also prompt for a read-only token, which lets reads work without the passphrase',
    },
  },
  examples: [
    ['profile lock acme', 'prompt for a passphrase, which every request then requires'],
    ['profile lock acme --read-only-token', 'let reads work without the passphrase'],
  ],
  notes: [
    'The credentials are encrypted (scrypt and AES-256-GCM). A command asks for the passphrase before its first change, or, without a read-only token, ' +
      'before its first request. The console and a guard ask when they start; a guard keeps the credentials for the time that --for sets. ' +
      'Without a terminal, requests that require the passphrase are refused with exit code 4.',
    'A passphrase must have at least 8 characters, and is never read from arguments, variables or standard input. If you forget it, create a new token.',
  ],
});

export const profileUnlock = declare({
  words: 'profile unlock',
  about: 'Remove the passphrase from a locked profile',
  effect: 'none',
  needs: 'nothing',
  arguments: { NAME: { ...nameArgument, completes: 'profile' } },
  flags: {},
  examples: [['profile unlock acme', 'prompt for the passphrase, and remove the lock']],
});

export const profileUnbind = declare({
  words: 'profile unbind',
  about: 'Remove the profile binding of this folder',
  effect: 'none',
  loss: { names: 'the binding of the folder' },
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['profile unbind', 'delete .edgectl-profile']],
});

export const profileList = declare({
  words: 'profile list',
  about: 'List profiles',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['profile list', 'list all profiles; * is the active one']],
});

export const profileUse = declare({
  words: 'profile use',
  about: 'Set the active profile',
  effect: 'none',
  loss: { names: 'the active profile' },
  needs: 'nothing',
  arguments: { NAME: { ...nameArgument, completes: 'profile' } },
  flags: {},
  examples: [['profile use acme', 'use this profile unless a command names another']],
});

export const profileRemove = declare({
  words: 'profile remove',
  about: 'Remove a profile',
  effect: 'destroy',
  loss: { asks: 'removing the profile and its credentials' },
  needs: 'nothing',
  arguments: { NAME: { ...nameArgument, completes: 'profile' } },
  flags: {},
  examples: [['profile remove acme', 'remove the profile and its credentials, after confirmation']],
});

export const whoami = declare({
  words: 'whoami',
  about: 'Show the active profile, platform and account',
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['whoami', 'show profile, platform, account, and whether the credentials work']],
});

export const doctor = declare({
  words: 'doctor',
  about: 'Check configuration, credentials and platform for problems',
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: {
    traces: {
      kind: 'boolean',
      about: 'List the files that edgectl has stored on this machine, and how to remove them',
    },
  },
  examples: [
    ['doctor', 'check program, configuration, credentials, platform, permissions, folders and terminal'],
    ['doctor --profile acme --json', 'check one profile and print JSON'],
    ['doctor --traces', 'list stored files: path, mode, size, age, lifetime'],
  ],
  notes: [
    'Exit codes: 7 if there is a problem, 4 if there are no credentials, 0 if there are only warnings. With --json, the result is always printed.',
    'Nothing is changed, and no credentials are shown. Permissions are read from the token if it can read itself (API Tokens: Read). ' +
      'If the token cannot read itself, edgectl requests one list for each kind of resource.',
    'If npm is installed, doctor looks for a newer version of edgectl with npm view, at most once a day. This check is skipped in CI, for a sandbox or local data, and after ' +
      'edgectl setting set update-check off.',
  ],
});

const settingArgument = {
  about: `Name of the setting: ${settingNames.join(', ')}`,
  completes: settingNames,
} as const;

export const settingList = declare({
  words: 'setting list',
  about: 'List the settings and their possible values',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['setting list', 'list all settings; * marks those that you have set']],
});

export const settingGet = declare({
  words: 'setting get',
  about: 'Print the value of a setting',
  effect: 'none',
  needs: 'nothing',
  arguments: { NAME: settingArgument },
  flags: {},
  examples: [['setting get undo', 'print on or off']],
});

export const settingSet = declare({
  words: 'setting set',
  about: 'Change a setting',
  effect: 'none',
  loss: { names: 'the value of the setting', asks: 'turning undo or read-only off' },
  needs: 'nothing',
  arguments: { NAME: settingArgument, VALUE: { about: 'New value' } },
  flags: {},
  examples: [
    ['setting set undo off', 'do not save deleted data'],
    [
      'setting set confirm containers',
      'delete values in the console without confirmation; press U to restore a value',
    ],
    ['setting set read-only production', 'prevent accidental changes in production'],
    ['setting set theme light', 'use colors for a light background'],
  ],
});

export const settingUnset = declare({
  words: 'setting unset',
  about: 'Reset a setting to its default',
  effect: 'none',
  loss: { names: 'the value of the setting', asks: 'turning undo or read-only off' },
  needs: 'nothing',
  arguments: { NAME: settingArgument },
  flags: {},
  examples: [['setting unset undo', 'save deleted data again']],
});
