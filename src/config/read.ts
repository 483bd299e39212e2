import { readFileSync, statSync } from 'node:fs';
import { pathReason } from '../files/system-reason.ts';
import type { ConfigFile } from '../model/config.ts';
import { Problem } from '../model/problem.ts';
import { isTooDeep, mostLevels, type Parsed, SyntaxFault } from './position.ts';

/** A configuration file as it was read: its text without a byte order mark, and the data in it. */
export interface ConfigSource extends ConfigFile, Parsed {
  readonly text: string;
  readonly byteOrderMark: boolean;
}

const maximumBytes = 1024 * 1024;

/** Reads and parses a configuration file. Refuses what is not TOML or JSON with comments, with line and column. */
export async function readConfig(file: ConfigFile): Promise<ConfigSource> {
  const raw = decodeConfig(readBytes(file.path), file.path);
  const byteOrderMark = raw.startsWith('\ufeff');
  const text = byteOrderMark ? raw.slice(1) : raw;
  const { path, format, fallback } = file;
  return { path, format, fallback, text, byteOrderMark, ...(await parseConfig(text, file)) };
}

/** The data of a text in the file's format, each time anew. */
export async function parseConfig(text: string, file: ConfigFile): Promise<Parsed> {
  try {
    const parsed =
      file.format === 'toml'
        ? (await import('./toml.ts')).parseToml(text)
        : (await import('./jsonc.ts')).parseJsonc(text);
    if (isTooDeep(parsed.data)) throw new RangeError('too deep');
    return parsed;
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Problem(
        'config-invalid',
        `${file.path} is nested too deeply: a configuration has up to ${mostLevels} levels.`,
        { cause: error },
      );
    }
    if (!(error instanceof SyntaxFault)) throw error;
    const { line, column } = error.position;
    throw new Problem('config-invalid', `${file.path}:${line}:${column}: ${error.message}.`);
  }
}

/** At once: the threads that read files cost more to start than a few kilobytes to read. */
function readBytes(path: string): Uint8Array {
  try {
    // A file of many gigabytes is not read to be told that it is too long.
    if (statSync(path).size <= maximumBytes) {
      const bytes = readFileSync(path);
      if (bytes.length <= maximumBytes) return bytes;
    }
  } catch (error) {
    throw new Problem('config-invalid', `${path} cannot be read: ${pathReason('/', path, error)}.`, {
      cause: error,
    });
  }
  throw new Problem('config-invalid', `${path} is longer than 1 MiB, which no configuration is.`);
}

/** The text of the bytes, with its byte order mark. */
function decodeConfig(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Problem('config-invalid', `${path} is not UTF-8 text.`);
  }
}
