import { Problem } from '../../../model/problem.ts';
import * as profiles from '../../../services/session/profiles.ts';
import { type Context, command } from '../../parsing/command.ts';
import { readSecret } from '../workers/secret-input.ts';

const nameArgument = { about: 'Name of the profile' } as const;

export const addCommand = command({
  arguments: { NAME: nameArgument },
  flags: {
    email: {
      kind: 'text',
      placeholder: 'EMAIL',
      about: "Sign in with this e-mail and the account's API key",
    },
    brand: { kind: 'text', placeholder: 'WORD', about: "Brand word in the platform's field names" },
    'request-budget': {
      kind: 'number',
      placeholder: 'COUNT',
      about: 'Requests that edgectl may send in 5 minutes; 1,200 when left out',
    },
    replace: { kind: 'boolean', about: 'Replace a profile of that name' },
    use: { kind: 'boolean', about: 'Choose it from now on' },
  },
  examples: [
    ['profile add acme', 'asks for an API token without showing it'],
    ['profile add acme --account-id 0f2a… --use < token.txt', 'takes the token from standard input'],
    ['profile add old --email me@example.org', 'asks for the API key'],
  ],
  notes: ['Profiles are kept in files that only you can read (mode 0600).'],
  async run(context, { args, flags }) {
    profiles.checkName(args.NAME);
    profiles.checkPlatform(flags['api-base-url']);
    const what = flags.email === undefined ? 'API token' : 'API key';
    const secret = await readCredential(context, what);
    const auth = flags.email === undefined ? { token: secret } : { email: flags.email, apiKey: secret };
    await profiles.add(
      context.world,
      {
        name: args.NAME,
        auth,
        apiBaseUrl: flags['api-base-url'],
        accountId: flags['account-id'],
        zoneId: flags['zone-id'],
        brand: flags.brand,
        requestBudget: flags['request-budget'],
      },
      { replace: flags.replace, use: flags.use },
    );
    const chosen = flags.use ? ' and chose it' : '';
    await context.output.result(`Added profile "${args.NAME}"${chosen}.`, {
      name: args.NAME,
      chosen: flags.use,
    });
  },
});

async function readCredential({ world }: Context, what: string): Promise<string> {
  const { text } = await readSecret(world, `${what}: `);
  if (text.trim() !== '') return text.trim();
  throw new Problem('usage', `No ${what} was given.`, {
    hint: `Type it when asked on a terminal, or send it on standard input: < file.`,
  });
}

export const listCommand = command({
  arguments: {},
  flags: {},
  examples: [['profile list', 'all profiles; * is the chosen one']],
  async run({ world, output }) {
    const rows = await profiles.list(world);
    if (output.json) return void (await output.answerJson(rows));
    for (const row of rows)
      await output.line(`${row.chosen ? '*' : ' '} ${row.name.padEnd(16)} ${row.about}`);
    return undefined;
  },
});

export const useCommand = command({
  arguments: { NAME: nameArgument },
  flags: {},
  examples: [['profile use acme', 'act as this profile unless a command says otherwise']],
  async run({ world, output }, { args }) {
    await profiles.use(world, args.NAME);
    await output.result(`Profile "${args.NAME}" is used from now on.`, { name: args.NAME, chosen: true });
  },
});

export const removeCommand = command({
  arguments: { NAME: nameArgument },
  flags: {},
  examples: [['profile remove acme', 'forget its credentials']],
  async run({ world, output }, { args }) {
    await profiles.remove(world, args.NAME);
    await output.result(`Removed profile "${args.NAME}".`, { name: args.NAME, removed: true });
  },
});
