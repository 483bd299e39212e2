import { readFileSync, statSync } from 'node:fs';
import { type Doubt, readerIn, readFound } from '../files/found.ts';
import { pathReason } from '../files/system-reason.ts';
import { orUnreadableProblem } from '../files/trust-problems.ts';
import type { ConfigFile } from '../model/config.ts';
import { Problem } from '../model/problem.ts';
import { isTooDeep, maxLevels, type Parsed, SyntaxFault } from './position.ts';

/** A configuration file, with its content without a byte order mark, and the parsed data. */
export interface ConfigSource extends ConfigFile, Parsed {
  readonly text: string;
  readonly byteOrderMark: boolean;
}

const maxBytes = 1024 * 1024;

/** Decides whether to use a file that was found but is not trusted: resolves to accept the file, and rejects to refuse it. */
export type Accept = (doubt: Doubt) => Promise<void>;

/**
 * Reads a configuration that was found, or a file next to it. Returns undefined if the file is missing. Checks the open file, so that it
 * cannot be replaced between the check and the read. If the user accepts an untrusted file, reads the file afterwards without checking it
 * again, because the user then trusts the whole folder.
 */
export async function readFoundConfig(
  path: string,
  cwd: string,
  accept: Accept,
): Promise<Buffer | undefined> {
  const found = orUnreadableProblem('config-invalid', path, () =>
    readFound('configuration', path, readerIn(cwd)),
  );
  if (found === undefined || 'bytes' in found) return found?.bytes;
  if (found.doubt.fault === 'size') throw tooLong(path);
  await accept(found.doubt);
  return Buffer.from(readBytes(path));
}

/**
 * Reads and parses a configuration file. `bytes` is the content if it was already read. Throws for invalid TOML or invalid JSON with
 * comments, with the line and column.
 */
export async function readConfig(
  file: ConfigFile,
  bytes: Uint8Array = readBytes(file.path),
): Promise<ConfigSource> {
  const raw = decodeConfig(bytes, file.path);
  const byteOrderMark = raw.startsWith('\ufeff');
  const text = byteOrderMark ? raw.slice(1) : raw;
  const { path, format, fallback } = file;
  return { path, format, fallback, text, byteOrderMark, ...(await parseConfig(text, file)) };
}

/** Parses the content of a file in its format. Each call returns new data, which the caller may modify. */
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
        `${file.path} is nested too deeply: a configuration can have up to ${maxLevels} levels.`,
        { cause: error },
      );
    }
    if (!(error instanceof SyntaxFault)) throw error;
    const { line, column } = error.position;
    throw new Problem('config-invalid', `${file.path}:${line}:${column}: ${error.message}.`);
  }
}

/** Reads synchronously, because starting the threads for asynchronous reads takes longer than reading a few kilobytes. */
function readBytes(path: string): Uint8Array {
  try {
    // Checks the size first, to avoid reading a file of many gigabytes only to refuse it as too long.
    if (statSync(path).size <= maxBytes) {
      const bytes = readFileSync(path);
      if (bytes.length <= maxBytes) return bytes;
    }
  } catch (error) {
    throw new Problem('config-invalid', `${path} cannot be read: ${pathReason('/', path, error)}.`, {
      cause: error,
    });
  }
  throw tooLong(path);
}

function tooLong(path: string): Problem {
  return new Problem('config-invalid', `${path} is longer than 1 MiB, the maximum for a configuration.`);
}

/** Decodes UTF-8. The result includes the byte order mark, if any. */
function decodeConfig(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Problem('config-invalid', `${path} is not UTF-8 text.`);
  }
}
