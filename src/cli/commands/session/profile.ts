import { tokenPage } from '../../../model/permissions/token-permissions.ts';
import { Problem } from '../../../model/problem.ts';
import type { Auth } from '../../../model/target.ts';
import { checkPassphrase } from '../../../profiles/sealed.ts';
import * as profiles from '../../../services/session/profiles.ts';
import { commandLine } from '../../../text/shell.ts';
import { type Context, command, type Input } from '../../parsing/command.ts';
import { askSecretOnTerminal, readSecret } from '../workers/secret-input.ts';
import type * as declared from './declarations.ts';

export const addCommand = command<typeof declared.profileAdd>({
  async run(context, { args, flags }) {
    await checkInput(context, args.NAME, flags);
    const what = flags.email === undefined ? 'API token' : 'API key';
    const email = flags.email === undefined ? [] : ['--email', flags.email];
    const secret = await readCredential(context, what, ['profile', 'add', args.NAME, ...email]);
    const auth = flags.email === undefined ? { token: secret } : { email: flags.email, apiKey: secret };
    await verifyAndSave(context, args.NAME, auth, flags);
  },
});

export const loginCommand = command<typeof declared.profileLogin>({
  async run(context, { args, flags }) {
    await checkInput(context, args.NAME, flags);
    await showTokenPage(context, args.NAME, flags);
    const line = ['profile', 'login', args.NAME, '--no-browser'];
    await verifyAndSave(
      context,
      args.NAME,
      { token: await readCredential(context, 'API token', line) },
      flags,
    );
  },
});

type KeepFlags = Input<typeof declared.profileLogin>['flags'];

/** Rejects invalid input before the user is asked for a secret. */
async function checkInput(
  { world }: Context,
  name: string,
  flags: Omit<KeepFlags, 'no-browser'>,
): Promise<void> {
  profiles.checkName(name);
  profiles.checkPlatform(flags['api-base-url'], '--api-base-url');
  if (!flags.replace) await profiles.checkNameAvailable(world, name);
}

/** Prints the address of the page, and opens the page if a user is at the terminal. */
async function showTokenPage({ world, output }: Context, name: string, flags: KeepFlags): Promise<void> {
  if (flags['api-base-url'] !== undefined) {
    output.warn("edgectl does not know this platform's token page. Create the token on the platform.");
    return;
  }
  const url = tokenPage(`edgectl ${name}`, { readOnly: flags['read-only'] });
  output.warn(`Create a token: ${url}`, { url });
  if (flags['no-browser'] || !world.stdin.isTTY || !world.stderr.isTTY) return;
  const { openPage } = await import('../../../services/session/open-page.ts');
  if (!(await openPage(world, url))) output.note('No browser found: open the page yourself.');
}

/** Saves credentials, after verifying them unless verification is off. */
async function verifyAndSave(
  { world, output }: Context,
  name: string,
  auth: Auth,
  flags: Omit<KeepFlags, 'no-browser'>,
): Promise<void> {
  profiles.checkCredentials(auth, name);
  const profile = {
    name,
    auth,
    apiBaseUrl: flags['api-base-url'],
    accountId: flags['account-id'],
    zoneId: flags['zone-id'],
    brand: flags.brand,
    requestBudget: flags['request-budget'],
    readOnly: flags['read-only'],
  };
  if (!flags['no-verify']) {
    const { verifyProfile } = await import('../../../services/session/verify-profile.ts');
    await verifyProfile(world, profile, { note: (text) => output.note(text), conceal: output.conceal });
  }
  await profiles.addProfile(world, profile, { replace: flags.replace, use: flags.use });
  const chosen = flags.use ? ' and made it active' : '';
  const verified = flags['no-verify'] ? ', not verified' : '';
  await output.result(`Added profile "${name}"${chosen}${verified}.`, {
    name,
    chosen: flags.use,
    verified: !flags['no-verify'],
  });
  if (!flags.use)
    output.note(`To use the profile: edgectl profile use ${name}, or add --profile ${name} to a command.`);
}

async function readCredential({ world }: Context, what: string, command: readonly string[]): Promise<string> {
  const { text } = await readSecret(world, { question: `${what}: `, what, command });
  if (text.trim() !== '') return text.trim();
  throw new Problem('usage', `No ${what} was given.`, {
    hint: `Type the ${what} at the prompt on a terminal, or use standard input: ${commandLine(command)} < FILE`,
  });
}

export const listCommand = command<typeof declared.profileList>({
  async run({ world, output }) {
    const rows = await profiles.listProfiles(world);
    if (output.json) return void (await output.answerJson(rows));
    for (const row of rows)
      await output.line(`${row.chosen ? '*' : ' '} ${row.name.padEnd(16)} ${profiles.describeProfile(row)}`);
    return undefined;
  },
});

export const useCommand = command<typeof declared.profileUse>({
  async run({ world, output }, { args }) {
    await profiles.activateProfile(world, args.NAME);
    await output.result(`Profile "${args.NAME}" is now the active profile.`, {
      name: args.NAME,
      chosen: true,
    });
  },
});

export const bindCommand = command<typeof declared.profileBind>({
  async run({ world, output }, { args }) {
    const path = await profiles.bindProfile(world, args.NAME);
    await output.result(
      `Profile "${args.NAME}" is now bound to ${world.cwd} and its subfolders by ${path}.`,
      {
        name: args.NAME,
        path,
      },
    );
  },
});

export const unbindCommand = command<typeof declared.profileUnbind>({
  async run({ world, output }) {
    const path = await profiles.unbindProfile(world);
    await output.result(`Removed ${path}: no profile is bound to ${world.cwd}.`, { path });
  },
});

export const removeCommand = command<typeof declared.profileRemove>({
  async run({ world, output, ask, dryRun }, { args }) {
    await profiles.checkRemovable(world, args.NAME);
    const lost = `profile "${args.NAME}" and its credentials`;
    await ask.confirm(`Remove ${lost} from this machine?`, `The ${lost} would be removed.`);
    dryRun?.end('this machine', [{ does: 'remove', what: lost }]);
    await profiles.removeProfile(world, args.NAME);
    await output.result(`Removed profile "${args.NAME}".`, { name: args.NAME, removed: true });
  },
});

export const lockCommand = command<typeof declared.profileLock>({
  async run(context, { args, flags }) {
    const { world, output } = context;
    await profiles.checkLockable(world, args.NAME);
    const passphrase = await askForPassphrase(world, `New passphrase of profile ${args.NAME}: `);
    checkPassphrase(passphrase);
    if ((await askForPassphrase(world, 'Repeat the passphrase: ')) !== passphrase)
      throw new Problem('usage', 'The two passphrases differ; nothing was changed.');
    const token = flags['read-only-token']
      ? await askForPassphrase(world, 'Read-only API token: ')
      : undefined;
    await profiles.lockProfile(world, args.NAME, passphrase, token?.trim());
    const rest = token === undefined ? 'Every request requires' : 'Changes require';
    await output.result(`Locked profile "${args.NAME}". ${rest} its passphrase.`, {
      name: args.NAME,
      locked: true,
      readOnlyToken: token !== undefined,
    });
  },
});

export const unlockCommand = command<typeof declared.profileUnlock>({
  async run({ world, output }, { args }) {
    await profiles.checkLocked(world, args.NAME);
    await profiles.unlockProfile(world, args.NAME, await askForPassphrase(world, 'Passphrase: '));
    await output.result(`Unlocked profile "${args.NAME}": requests no longer require its passphrase.`, {
      name: args.NAME,
      locked: false,
    });
  },
});

/** Asks for a passphrase, but only at a terminal: a passphrase protects the profile from programs, so a program must not supply it. */
async function askForPassphrase(world: Context['world'], question: string): Promise<string> {
  const typed = await askSecretOnTerminal(world)(question);
  if (typed !== undefined) return typed;
  throw new Problem('not-signed-in', 'A passphrase can be typed only at a terminal.', {
    hint: 'Run this command in a terminal, with standard input and standard error connected to it.',
  });
}
