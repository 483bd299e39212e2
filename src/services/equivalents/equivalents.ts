import type { Where } from '../../model/where.ts';
import { commandLine, shellWord } from '../../text/shell.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import type { Call } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { type CliEquivalent, firstRequest } from './cli-equivalent.ts';

/** A command and its request, as lines for a POSIX shell. */
export interface Equivalent {
  readonly about: string;
  readonly command: Line;
  readonly curl: Line;
}

/** A shell line, or a sentence that explains why no shell line is possible. */
export type Line = { readonly text: string } | { readonly reason: string };

/** Formats commands as shell lines, and their requests as curl commands, for the platform and account of the session. */
export async function formatEquivalents(
  session: Session,
  commands: readonly CliEquivalent[],
): Promise<Equivalent[]> {
  const here = commands.filter(({ accountOnly }) => accountOnly !== true || session.where.kind !== 'local');
  return Promise.all(
    here.map(async (command) => ({
      about: command.about,
      command: formatCommand(session, command),
      curl: await formatCurl(session, command),
    })),
  );
}

function formatCommand(session: Session, { words, flags = {}, args = [] }: CliEquivalent): Line {
  const typed = [
    ...words.split(' '),
    ...Object.entries({ ...flags, ...whereFlags(session) }).flatMap(([name, value]) =>
      formatFlags(name, value),
    ),
    // edgectl does not parse arguments after `--` as flags.
    ...(args.some((arg) => arg.startsWith('-')) ? ['--'] : []),
    ...args,
  ];
  if (typed.some((word) => word.includes('\0'))) return { reason: 'A command line cannot contain NUL.' };
  return { text: commandLine(typed) };
}

function formatFlags(name: string, value: string | true): string[] {
  if (value === true) return [`--${name}`];
  return value.startsWith('-') || name === 'sandbox' ? [`--${name}=${value}`] : [`--${name}`, value];
}

/** Returns the flags that select the session's platform and account, in any working directory. */
function whereFlags({ where, choice }: Session): Record<string, string | true> {
  if (where.kind === 'local') return { local: true, 'persist-to': where.folder };
  const account = choice.accountId !== undefined && { 'account-id': choice.accountId };
  if (where.kind === 'sandbox') return { sandbox: where.folder, ...account };
  return {
    ...(where.profile !== undefined && { profile: where.profile }),
    ...account,
    ...(choice.apiBaseUrl !== undefined && { 'api-base-url': choice.apiBaseUrl }),
  };
}

async function formatCurl(session: Session, command: CliEquivalent): Promise<Line> {
  const { baseUrl } = session.where;
  if (baseUrl === undefined) return { reason: noServer[session.where.kind] };
  try {
    const call = await firstRequest(session, command);
    if (call === undefined) return { reason: 'The action needs more than one request.' };
    return { text: curlLine(call, baseUrl, credentialHeaders(session), command.bodyFrom) };
  } catch {
    return { reason: 'The platform would refuse this request.' };
  }
}

const noServer: Readonly<Record<Where['kind'], string>> = {
  remote: 'The session has no server address for curl.',
  sandbox: 'No server is running. To start one: edgectl sandbox start',
  local: 'No server is running. To start one: edgectl dev',
};

/** Returns the headers with the credentials as shell variables, never as values. */
function credentialHeaders({ credential, label }: Session): readonly string[] {
  const isOurs = !label.includes('CLOUDFLARE_');
  if (credential !== 'key') {
    return [`Authorization: Bearer $${isOurs ? 'EDGECTL' : 'CLOUDFLARE'}_API_TOKEN`];
  }
  return isOurs
    ? ['X-Auth-Email: $EDGECTL_API_EMAIL', 'X-Auth-Key: $EDGECTL_API_KEY']
    : ['X-Auth-Email: $CLOUDFLARE_EMAIL', 'X-Auth-Key: $CLOUDFLARE_API_KEY'];
}

/** Maximum length of a body in a curl command, in bytes. */
const maxBodyBytes = 4096;

/**
 * Formats a request as a curl command for a POSIX shell. The shell expands only the variables in `credentials`; everything else is quoted. A
 * body that is too long or is not text is read from a file.
 */
function curlLine(
  { method, path, headers, body }: Call,
  baseUrl: string,
  credentials: readonly string[],
  bodyFrom?: string,
): string {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', shellWord(`${name}: ${value}`)]);
  return [
    'curl',
    // Without -g, curl would interpret brackets in the URL.
    '-sSg',
    ...(method === 'GET' ? [] : ['-X', method]),
    ...credentials.flatMap((header) => ['-H', `"${header}"`]),
    ...given,
    ...formatBody(body, bodyFrom),
    shellWord(baseUrl + path),
  ].join(' ');
}

function formatBody(body: Call['body'], bodyFrom: string | undefined): string[] {
  if (bodyFrom !== undefined) return ['--data-binary', shellWord(`@${bodyFrom}`)];
  if (body === undefined) return [];
  const text = body instanceof Uint8Array && body.length <= maxBodyBytes ? decodeUtf8(body) : undefined;
  const fits = text?.isWellFormed() === true && !text.includes('\0');
  return fits ? ['--data-raw', shellWord(text)] : ['--data-binary', '@body'];
}
