import type { World } from '../world.ts';

/** The World in which a signal interrupts as Ctrl-C does. Its streams stay untouched until they are used. */
export function interruptedBy(world: World, signal: AbortSignal): World {
  const { argv, env, cwd, pid, folders } = world;
  return {
    argv,
    env,
    cwd,
    pid,
    folders,
    get stdin() {
      return world.stdin;
    },
    get stdout() {
      return world.stdout;
    },
    get stderr() {
      return world.stderr;
    },
    now: () => world.now(),
    random: (bytes) => world.random(bytes),
    sleep: (milliseconds, sleeping) => world.sleep(milliseconds, sleeping),
    interrupted: AbortSignal.any([world.interrupted, signal]),
  };
}
