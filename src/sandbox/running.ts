import type { World } from '../world.ts';

/** The server that holds a folder at the moment, if any. */
export function findRunning(_folder: string): { readonly apiBaseUrl: string; readonly pid: number } | undefined {
  return undefined;
}

export async function holdFolder(_folder: string, _world: World) {
  return { announce: async (_server: unknown) => undefined, release: () => undefined };
}
