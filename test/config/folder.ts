import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ConfigSource, readConfig } from '../../src/config/read.ts';
import type { ConfigFile } from '../../src/model/config.ts';
import { scratchFolder } from '../support/world.ts';

/** Creates a folder on disk with these files. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = scratchFolder('config');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Creates a file on disk in the given format. */
export function fileWith(text: string | Uint8Array, format: ConfigFile['format'] = 'toml'): ConfigFile {
  const name = format === 'toml' ? 'edgectl.toml' : 'edgectl.json';
  return { path: join(folderWith({ [name]: text }), name), format, fallback: false };
}

/** Creates a configuration file and reads it. */
export function sourceOf(text: string, format: ConfigFile['format'] = 'toml'): Promise<ConfigSource> {
  return readConfig(fileWith(text, format));
}
