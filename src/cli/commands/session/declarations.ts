import { settingNames } from '../../../model/settings.ts';
import { declare, type Flags } from '../../parsing/declaration.ts';
import { localFlags, mannerFlags } from '../../parsing/flags.ts';

const nameArgument = { about: 'Name of the profile' } as const;

export const openConsole = declare({
  words: 'console',
  about: 'Open the console (also: edgectl without a command)',
  effect: 'none',
  needs: 'account',
  arguments: {
    PLACE: {
      about:
        'What to open on: home, kv/NAMESPACE/KEY or PREFIX*, objects/BUCKET/FOLDER/, hostnames/NAME, workers/NAME, tasks',
      optional: true,
    },
  },
  flags: { ...localFlags, preview: { kind: 'boolean', about: 'Begin with preview data' }, ...mannerFlags },
  examples: [
    ['console --profile acme', 'see and change everything of an account'],
    ['console --local', 'the data of this project on this machine'],
    ['console kv/SESSIONS/user:', 'the key of that name; where there is none, the keys that begin with it'],
    ['console hostnames/shop.acme.com --profile acme', 'one custom hostname'],
    ['console --sandbox --read-only', 'look at the embedded platform, change nothing'],
  ],
  notes: [
    'A namespace is named by its binding, title or id. Odd characters are percent-encoded as in a URL; @ in the console ' +
      'copies the link of a view.',
  ],
});

/** On the commands that keep credentials. */
const keepFlags = {
  brand: { kind: 'text', placeholder: 'WORD', about: "Brand word in the platform's field names" },
  'request-budget': {
    kind: 'number',
    placeholder: 'COUNT',
    about: 'Requests that edgectl may send in 5 minutes; 1,200 when left out',
  },
  'no-verify': { kind: 'boolean', about: 'Keep them without asking the platform whether it accepts them' },
  replace: { kind: 'boolean', about: 'Replace a profile of that name' },
  use: { kind: 'boolean', about: 'Choose it from now on' },
} as const satisfies Flags;

export const profileAdd = declare({
  words: 'profile add',
  about: 'Keep credentials under a name, once the platform has accepted them',
  effect: 'none',
  loss: { names: 'with --replace, the profile NAME' },
  needs: 'nothing',
  arguments: { NAME: nameArgument },
  flags: {
    email: {
      kind: 'text',
      placeholder: 'EMAIL',
      about: "Sign in with this e-mail and the account's API key",
    },
    ...keepFlags,
  },
  examples: [
    ['profile add acme', 'asks for an API token without showing it'],
    ['profile add acme --account-id 0f2a… --use < token.txt', 'takes the token from standard input'],
    ['profile add acme-live --read-only', 'a profile that changes nothing'],
    ['profile add old --email me@example.org', 'asks for the API key'],
  ],
  notes: ['Profiles are kept in files that only you can read (mode 0600).'],
});

export const profileLogin = declare({
  words: 'profile login',
  about: 'Open the page that makes a token, and keep the token under a name',
  effect: 'none',
  loss: { names: 'with --replace, the profile NAME' },
  needs: 'nothing',
  arguments: { NAME: nameArgument },
  flags: {
    'no-browser': { kind: 'boolean', about: 'Print the address of the page, and open nothing' },
    ...keepFlags,
  },
  examples: [
    ['profile login acme --use', 'opens the page with the permissions filled in, and asks for the token'],
    ['profile login acme-live --read-only', 'a token that reads, for a profile that changes nothing'],
    [
      'profile login acme --no-browser < token.txt',
      'prints the address, and takes the token from standard input',
    ],
  ],
  notes: [
    'The page is the one of the dashboard for new tokens. Choose there which accounts and zones the token is for, and take ' +
      'away what it need not do: edgectl doctor says later what is missing.',
  ],
});

export const profileBind = declare({
  words: 'profile bind',
  about: 'Act as a profile in this folder and all below it',
  effect: 'none',
  loss: { names: 'the binding of the folder' },
  needs: 'nothing',
  arguments: { NAME: { ...nameArgument, completes: 'profile' } },
  flags: {},
  examples: [['profile bind acme', 'writes .edgectl-profile, which holds the name and no secret']],
  notes: [
    'A profile or credentials in the environment, and --profile, win over it. The file is refused if it, or its folder, ' +
      'belongs to another user.',
    'In a checkout with such a file edgectl asks once whether to act as the profile. Without a terminal a profile that ' +
      'nobody accepted only reads. If the chosen profile is read-only, the folder’s is too.',
  ],
});

export const profileUnbind = declare({
  words: 'profile unbind',
  about: 'Bind this folder to no profile',
  effect: 'none',
  loss: { names: 'the binding of the folder' },
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['profile unbind', 'removes .edgectl-profile']],
});

export const profileList = declare({
  words: 'profile list',
  about: 'List profiles',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['profile list', 'all profiles; * is the chosen one']],
});

export const profileUse = declare({
  words: 'profile use',
  about: 'Choose the profile to act as',
  effect: 'none',
  loss: { names: 'the choice of a profile' },
  needs: 'nothing',
  arguments: { NAME: { ...nameArgument, completes: 'profile' } },
  flags: {},
  examples: [['profile use acme', 'act as this profile unless a command says otherwise']],
});

export const profileRemove = declare({
  words: 'profile remove',
  about: 'Remove a profile',
  effect: 'destroy',
  loss: { asks: 'removing the profile and its credentials' },
  needs: 'nothing',
  arguments: { NAME: { ...nameArgument, completes: 'profile' } },
  flags: {},
  examples: [['profile remove acme', 'asks, then removes its credentials from this machine']],
});

export const whoami = declare({
  words: 'whoami',
  about: 'Show who edgectl is, and where',
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['whoami', 'profile, platform, account and whether the credentials are accepted']],
});

export const doctor = declare({
  words: 'doctor',
  about: 'Look at all that a command needs, and say what is wrong',
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [
    ['doctor', 'program, configuration, credentials, platform, permissions, folders, terminal'],
    ['doctor --profile acme --json', 'the same for a program, as one profile'],
  ],
  notes: [
    'Exit code 7 where something is wrong, 4 where there are no credentials; warnings are 0. With --json the answer is ' +
      'printed in each case.',
    'Nothing is changed, and no credential is shown. Permissions are read from the token where it may read itself ' +
      '(API Tokens: Read), else one list of each kind is asked for.',
  ],
});

const settingArgument = {
  about: `Name of the setting: ${settingNames.join(', ')}`,
  completes: settingNames,
} as const;

export const settingList = declare({
  words: 'setting list',
  about: 'List the settings, and what each can be',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['setting list', 'all of them; * stands before those that you have set']],
});

export const settingGet = declare({
  words: 'setting get',
  about: 'Print what a setting is',
  effect: 'none',
  needs: 'nothing',
  arguments: { NAME: settingArgument },
  flags: {},
  examples: [['setting get undo', 'on or off']],
});

export const settingSet = declare({
  words: 'setting set',
  about: 'Set a setting',
  effect: 'none',
  loss: { names: 'the value of the setting', asks: 'turning undo or read-only off' },
  needs: 'nothing',
  arguments: { NAME: settingArgument, VALUE: { about: 'What it is from now on' } },
  flags: {},
  examples: [
    ['setting set undo off', 'keep nothing of what is deleted'],
    ['setting set confirm containers', 'delete a value in the console without a question; U puts it back'],
    ['setting set read-only production', 'change nothing in production by accident'],
    ['setting set theme light', 'colours for a light background, whatever the terminal says of its own'],
  ],
});

export const settingUnset = declare({
  words: 'setting unset',
  about: 'Take a setting back to what it was at first',
  effect: 'none',
  loss: { names: 'the value of the setting', asks: 'turning undo or read-only off' },
  needs: 'nothing',
  arguments: { NAME: settingArgument },
  flags: {},
  examples: [['setting unset undo', 'keep again what is deleted']],
});
