import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the absolute path of a file in the package, such as `LICENSE`; undefined in an executable, or if the file is missing. */
export async function packageFile(name: string): Promise<string | undefined> {
  // The package's folder is a parent folder of this file, both in the sources and in the build.
  for (
    let above = dirname(fileURLToPath(import.meta.url));
    dirname(above) !== above;
    above = dirname(above)
  ) {
    const path = join(above, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined) return path;
  }
  return undefined;
}
