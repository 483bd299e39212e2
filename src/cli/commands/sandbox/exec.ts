import { version } from '../../../model/version.ts';
import { execInSandbox } from '../../../services/sandbox/exec.ts';
import { command } from '../../parsing/command.ts';
import { chosenDir } from './choice.ts';
import { readIssuanceLimit, readSeedFlag } from './sandbox.ts';
import type * as declared from './traffic-declarations.ts';

export const execCommand = command<typeof declared.sandboxExec>({
  run: async ({ world, output }, { args, flags }) =>
    execInSandbox(world, args.COMMAND, {
      dir: chosenDir(flags),
      demo: flags.demo,
      strict: flags.strict,
      proxyPort: flags.proxy ? 0 : undefined,
      seed: await readSeedFlag({ world, output }, flags.seed),
      issuanceLimit: readIssuanceLimit(flags),
      onWorkerLog: ({ level, message }) => output.note(message, { level }),
      warn: output.warn,
      version,
    }),
});
