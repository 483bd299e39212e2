import { Problem } from '../../../model/problem.ts';
import * as profiles from '../../../services/session/profiles.ts';
import { type Context, command } from '../../parsing/command.ts';
import { readSecret } from '../workers/secret-input.ts';
import type * as declared from './declarations.ts';

export const addCommand = command<typeof declared.profileAdd>({
  async run(context, { args, flags }) {
    profiles.checkName(args.NAME);
    profiles.checkPlatform(flags['api-base-url'], '--api-base-url');
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
        readOnly: flags['read-only'],
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

export const listCommand = command<typeof declared.profileList>({
  async run({ world, output }) {
    const rows = await profiles.list(world);
    if (output.json) return void (await output.answerJson(rows));
    for (const row of rows)
      await output.line(`${row.chosen ? '*' : ' '} ${row.name.padEnd(16)} ${row.about}`);
    return undefined;
  },
});

export const useCommand = command<typeof declared.profileUse>({
  async run({ world, output }, { args }) {
    await profiles.use(world, args.NAME);
    await output.result(`Profile "${args.NAME}" is used from now on.`, { name: args.NAME, chosen: true });
  },
});

export const removeCommand = command<typeof declared.profileRemove>({
  async run({ world, output }, { args }) {
    await profiles.remove(world, args.NAME);
    await output.result(`Removed profile "${args.NAME}".`, { name: args.NAME, removed: true });
  },
});
