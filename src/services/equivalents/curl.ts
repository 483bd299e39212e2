import { shellWord } from '../../text/shell.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import type { Call } from '../../v4/send.ts';

/** Longest body that stands on a line, in bytes. */
const longestBody = 4096;

/**
 * A request as a line of curl for a POSIX shell. `credentials` are headers with variables in them, for the shell to
 * fill in; everything else is quoted, so that no name does anything. A body that cannot stand on a line comes from a file.
 */
export function curlLine(
  { method, path, headers, body }: Call,
  baseUrl: string,
  credentials: readonly string[],
  bodyFrom?: string,
): string {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', shellWord(`${name}: ${value}`)]);
  return [
    'curl',
    // Without globs a bracket in a name stays one.
    '-sSg',
    ...(method === 'GET' ? [] : ['-X', method]),
    ...credentials.flatMap((header) => ['-H', `"${header}"`]),
    ...given,
    ...bodyWords(body, bodyFrom),
    shellWord(baseUrl + path),
  ].join(' ');
}

function bodyWords(body: Call['body'], bodyFrom: string | undefined): string[] {
  if (bodyFrom !== undefined) return ['--data-binary', shellWord(`@${bodyFrom}`)];
  if (body === undefined) return [];
  const text = body instanceof Uint8Array && body.length <= longestBody ? decodeUtf8(body) : undefined;
  const fits = text?.isWellFormed() === true && !text.includes('\0');
  return fits ? ['--data-raw', shellWord(text)] : ['--data-binary', '@body'];
}
