import { spawn } from 'node:child_process';
import { platform } from 'node:process';
import { withoutCredentials } from '../../profiles/credential-variables.ts';
import type { World } from '../../world.ts';

/** Opens a page in the user's browser, without waiting for the browser. Returns false if the program that opens pages cannot be started. */
export async function openPage({ env }: Pick<World, 'env'>, url: string): Promise<boolean> {
  const [command, ...before] = findOpener(env);
  const child = spawn(command, [...before, url], {
    stdio: 'ignore',
    detached: true,
    env: withoutCredentials(env),
  });
  const began = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  child.unref();
  return began;
}

/**
 * Returns the command that opens pages. Uses BROWSER only if it names one program, without arguments; otherwise, uses the system's command.
 */
function findOpener({ BROWSER: browser = '' }: World['env']): [string, ...string[]] {
  if (/^[^\s:%]+$/.test(browser)) return [browser];
  if (platform === 'darwin') return ['open'];
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
