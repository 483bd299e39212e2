import { once } from 'node:events';
import { Problem } from '../../../model/problem.ts';
import { version } from '../../../model/version.ts';
import { userName } from '../../../services/guard/audit-log.ts';
import { execGuarded } from '../../../services/guard/exec.ts';
import { type Guard, openGuard } from '../../../services/guard/open-guard.ts';
import { askOnTerminal } from '../../../services/guard/terminal-approver.ts';
import { shellWord } from '../../../text/shell.ts';
import { parseUnitDuration } from '../../../text/time.ts';
import { command } from '../../parsing/command.ts';
import { checkPort } from '../../parsing/port.ts';
import { askSecretOnTerminal } from '../workers/secret-input.ts';
import type * as declared from './declarations.ts';

export const execCommand = command<typeof declared.guardExec>({
  run: async ({ world, output, openSession }, { args, flags }) =>
    execGuarded(world, {
      command: args.COMMAND,
      client: checkClient(flags.client),
      policy: flags.policy,
      proxy: flags.proxy,
      waitMs: readWait(flags),
      unlockedMs: parseUnlockTime(flags.for),
      undo: !flags['no-undo'],
      openSession: () => openSession({}, output.note),
      warn: output.warn,
      note: output.note,
      version,
    }),
});

function checkClient(name: string | undefined): string | undefined {
  if (name?.trim() === '') throw new Problem('usage', '--client must contain a name.');
  return name;
}

/** Parses the duration given with `--for`, and returns it in milliseconds. */
function parseUnlockTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseUnitDuration(text, '--for') * 1000;
}

export const startCommand = command<typeof declared.guardStart>({
  async run({ world, output, openSession }, { flags }) {
    const messages = new HeldBackMessages();
    const guard = await openGuard(world, {
      policy: flags.policy,
      proxy: flags.proxy,
      unlockedMs: parseUnlockTime(flags.for),
      undo: !flags['no-undo'],
      client: checkClient(flags.client) ?? 'guard',
      endsWithProgram: false,
      port: checkPort('--port', flags.port ?? 0),
      waitMs: readWait(flags),
      openSession: () => openSession({}, output.note),
      warn: (message) => messages.print(() => output.warn(message)),
      version,
    });
    let stopAsking: (() => void) | undefined;
    try {
      output.note(guard.description);
      if (guard.danger !== undefined) output.warn(guard.danger);
      if (guard.readableCredentials.length > 0)
        output.warn(
          `Programs that run as this user can read credentials that the guard does not protect: ${guard.readableCredentials.join(', ')}.`,
        );
      if (output.json) await output.answerJson({ ...toJson(guard), pid: world.pid });
      else for (const line of formatVariables(guard)) await output.line(line);
      const isTerminal = world.stdin.isTTY === true && world.stderr.isTTY === true;
      stopAsking = isTerminal
        ? askOnTerminal(guard.held, {
            world,
            user: userName(),
            print: (line) => messages.print(() => output.note(line)),
            askSecret: (question) => messages.during(() => askSecretOnTerminal(world)(question)),
          })
        : undefined;
      if (!world.interrupted.aborted) await once(world.interrupted, 'abort');
    } finally {
      stopAsking?.();
      output.note('Stopping.');
      await guard.close();
    }
  },
});

/** A message printer. A message that arrives while a person types a passphrase is printed after the prompt. */
class HeldBackMessages {
  readonly #waiting: (() => void)[] = [];
  #isTyping = false;

  print(show: () => void): void {
    if (this.#isTyping) this.#waiting.push(show);
    else show();
  }

  /** Runs a prompt, and then prints the messages that arrived meanwhile. */
  async during<T>(prompt: () => Promise<T>): Promise<T> {
    this.#isTyping = true;
    try {
      return await prompt();
    } finally {
      this.#isTyping = false;
      for (const show of this.#waiting.splice(0)) show();
    }
  }
}

/** Maximum number of seconds to wait for a person's decision. */
const maxWait = 3600;

function readWait({ wait = 20 }: { readonly wait: number | undefined }): number {
  if (wait >= 0 && wait <= maxWait) return wait * 1000;
  throw new Problem('usage', `--wait must be from 0 to ${maxWait} seconds, not ${wait}.`);
}

function toJson({ apiBaseUrl, token, accountId, s3 }: Guard) {
  return {
    apiBaseUrl,
    apiToken: token,
    ...(accountId !== undefined && { accountId }),
    s3Endpoint: s3.endpoint,
    s3AccessKeyId: s3.key.id,
    s3SecretAccessKey: s3.key.secret,
  };
}

/** Formats the variables as `export` lines for the client's shell. */
function formatVariables({ variables }: Guard): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [`export ${name}=${shellWord(value)}`],
  );
}
