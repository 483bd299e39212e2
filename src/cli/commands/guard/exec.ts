import { once } from 'node:events';
import { version } from '../../../model/version.ts';
import { execGuarded } from '../../../services/guard/exec.ts';
import { type Guard, openGuard } from '../../../services/guard/open-guard.ts';
import { shellWord } from '../../../text/shell.ts';
import { command } from '../../parsing/command.ts';
import { checkPort } from '../../parsing/port.ts';
import type * as declared from './declarations.ts';

export const execCommand = command<typeof declared.guardExec>({
  run: async ({ world, output, openSession }, { args, flags }) =>
    execGuarded(world, {
      command: args.COMMAND,
      policy: flags.policy,
      proxy: flags.proxy,
      openSession: () => openSession({}, output.note),
      warn: output.warn,
      note: output.note,
      version,
    }),
});

export const startCommand = command<typeof declared.guardStart>({
  async run({ world, output, openSession }, { flags }) {
    const guard = await openGuard(world, {
      policy: flags.policy,
      proxy: flags.proxy,
      client: flags.client ?? 'guard',
      port: checkPort('--port', flags.port ?? 0),
      openSession: () => openSession({}, output.note),
      warn: output.warn,
      version,
    });
    try {
      output.note(guard.description);
      if (guard.readableCredentials.length > 0)
        output.warn(
          `Programs of this user can read credentials that the guard does not protect: ${guard.readableCredentials.join(', ')}.`,
        );
      if (output.json) await output.answerJson({ ...toJson(guard), pid: world.pid });
      else for (const line of formatVariables(guard)) await output.line(line);
      if (!world.interrupted.aborted) await once(world.interrupted, 'abort');
    } finally {
      output.note('Stopping.');
      await guard.close();
    }
  },
});

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

/** The lines for the shell of a client. */
function formatVariables({ variables }: Guard): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [`export ${name}=${shellWord(value)}`],
  );
}
