import type { World } from '../world.ts';
import { openOutputFile } from './output-file.ts';

/** Writes a text to a file that the user named, from the folder of the console. Refuses as `openOutputFile` does. */
export async function saveText(world: World, name: string, text: string): Promise<void> {
  const file = await openOutputFile(world, {
    name,
    ifThere: 'replace',
    isPrivate: false,
    ofFolder: { hint: 'Move the folder of that name away.' },
  });
  const chunks = async function* (): AsyncGenerator<string> {
    yield text;
  };
  await file.write(chunks());
}
