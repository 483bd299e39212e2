import type { World } from '../../world.ts';
import { checkProgram, runProgram } from '../program.ts';
import { startSandboxServer } from './sandbox.ts';
import type { SandboxStartOptions } from './start-options.ts';
import { openTemporaryFolder } from './temporary.ts';

/**
 * Runs a program with a separate sandbox on free ports. When the program exits, stops the sandbox, and deletes its data unless `dir` is set.
 * Returns the program's exit code, or 128 plus the number of the signal that killed it. Throws invalid-input if the program cannot be
 * started.
 */
export async function execInSandbox(
  world: World,
  command: readonly string[],
  options: Pick<
    SandboxStartOptions,
    'dir' | 'demo' | 'seed' | 'strict' | 'issuanceLimit' | 'onWorkerLog' | 'warn' | 'version' | 'proxyPort'
  >,
): Promise<number> {
  checkProgram(command);
  const own = options.dir === undefined ? openTemporaryFolder(world) : undefined;
  try {
    const ports = { port: 0, edgePort: 0, edgeTlsPort: 0, dnsPort: 0, s3Port: 0 };
    const dir = options.dir ?? own?.folder;
    const running = await startSandboxServer(world, {
      ...options,
      dir,
      ...ports,
      ephemeral: own !== undefined,
      readyFile: undefined,
    });
    try {
      return await runProgram(world, command, { ...world.env, ...running.variables });
    } finally {
      await running.close();
    }
  } finally {
    own?.remove();
  }
}
