import type { World } from '../world.ts';

/**
 * The World in which a signal interrupts as Ctrl-C does. What is there at its first touch only, the streams and the working
 * directory, stays untouched until it is used.
 */
export function interruptedBy(world: World, signal: AbortSignal): World {
  const { argv, env, pid, folders, lending, endable, spareMemory, direct } = world;
  return {
    argv,
    env,
    get cwd() {
      return world.cwd;
    },
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
    ...(direct && { direct }),
    ...(lending && { lending }),
    ...(endable && { endable }),
    ...(spareMemory && { spareMemory }),
  };
}
