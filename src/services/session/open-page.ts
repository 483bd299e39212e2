import { spawn } from 'node:child_process';
import { platform } from 'node:process';
import { withoutCredentials } from '../../profiles/credential-variables.ts';
import type { World } from '../../world.ts';

/** Opens a page in the user's browser, without waiting for the browser. Returns false if no program on this machine opens pages. */
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

/** BROWSER is used only if it is a single program. A list of programs, as on some systems, is left to the system's own opener. */
function findOpener({ BROWSER: browser = '' }: World['env']): [string, ...string[]] {
  if (/^[^\s:%]+$/.test(browser)) return [browser];
  if (platform === 'darwin') return ['open'];
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
