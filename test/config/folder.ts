import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ConfigSource, readConfig } from '../../src/config/read.ts';
import type { ConfigFile } from '../../src/model/config.ts';

/** A real folder with these files, removed after the test. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgectl-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** A real file of the format that its text is in. */
export function fileWith(text: string | Uint8Array, format: ConfigFile['format'] = 'toml'): ConfigFile {
  const name = format === 'toml' ? 'edgectl.toml' : 'edgectl.json';
  return { path: join(folderWith({ [name]: text }), name), format, fallback: false };
}

/** The same, read. */
export function sourceOf(text: string, format: ConfigFile['format'] = 'toml'): Promise<ConfigSource> {
  return readConfig(fileWith(text, format));
}
