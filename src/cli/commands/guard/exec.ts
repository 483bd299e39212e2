import { version } from '../../../model/version.ts';
import { execGuarded } from '../../../services/guard/exec.ts';
import { command } from '../../parsing/command.ts';
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
