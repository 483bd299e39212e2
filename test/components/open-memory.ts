import { ConsoleMemory } from '../../src/profiles/console-memory.ts';
import { scratchFolder } from '../support/world.ts';

const owner = { where: { kind: 'local', folder: '/' }, accountLabel: 'local' } as const;

/** Opens the saved memory of a console in a folder (default: a new folder). Rejects a file with other content. */
export function openMemory(folder = scratchFolder()): Promise<ConsoleMemory> {
  return ConsoleMemory.open(folder, owner, (message) => {
    throw new Error(message);
  });
}
