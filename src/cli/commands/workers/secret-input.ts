import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { isProblem, Problem } from '../../../model/problem.ts';
import { escapeText } from '../../../text/escape.ts';
import { commandLine } from '../../../text/shell.ts';
import { readBody } from '../../../v4/send.ts';
import type { World } from '../../../world.ts';
import { interruptibleStdin } from '../../stdin.ts';

/** Maximum input in bytes, which is more than the platform accepts in a secret or a file of secrets. */
const maxInputBytes = 1024 * 1024;

/** The value of a secret, and whether a trailing newline was removed. */
export interface SecretValue {
  readonly text: string;
  readonly trimmed: boolean;
}

/** A request for a secret. */
export interface SecretPrompt {
  /** The question that is asked on a terminal. */
  readonly question: string;
  /** The kind of secret: `API token`. */
  readonly what: string;
  /** Arguments of a command that reads the secret from standard input, to show in a hint. */
  readonly command: readonly string[];
}

/**
 * Reads a secret. On a terminal, asks for one line, which is typed without echo; otherwise, reads standard input and removes one trailing
 * newline. Rejects several lines pasted at the terminal, Ctrl-C and Ctrl-D, and standard input that is empty or not UTF-8.
 */
export async function readSecret(
  world: World,
  { question, what, command }: SecretPrompt,
): Promise<SecretValue> {
  if (world.stdin.isTTY === true) return { text: await readHidden(world, question, command), trimmed: false };
  const whole = await readText(interruptibleStdin(world), 'Standard input');
  const text = whole.replace(/\r?\n$/, '');
  if (text === '')
    throw new Problem(
      'invalid-input',
      `Standard input is empty: no ${what} was read, and nothing was changed.`,
      {
        hint: `Type the ${what} at a terminal, or use standard input: ${commandLine(command)} < FILE`,
      },
    );
  return { text, trimmed: text !== whole };
}

/** Returns a function that asks for a secret. The function returns undefined if there is no terminal, and an empty string after Ctrl-D. */
export function askSecretOnTerminal(world: World): (question: string) => Promise<string | undefined> {
  return async (question) => {
    if (world.stdin.isTTY !== true || world.stderr.isTTY !== true) return undefined;
    return readHidden(world, question, []).catch((error: unknown) => {
      // The user pressed Ctrl-D.
      if (isProblem(error) && error.code === 'not-confirmed') return '';
      throw error;
    });
  };
}

/**
 * Reads a stream as UTF-8 text. Rejects more than 1 MiB and invalid UTF-8 with an error that names the source and does not show
 * its content.
 */
export async function readText(stream: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBody(stream, maxInputBytes));
  } catch (error) {
    if (error instanceof RangeError) throw new Problem('invalid-input', `${name} is longer than 1 MiB.`);
    if (error instanceof TypeError) throw new Problem('invalid-input', `${name} is not UTF-8 text.`);
    throw error;
  }
}

/** Reads one line typed at the terminal. The terminal is set to raw mode without echo before the question is printed. */
async function readHidden(world: World, question: string, command: readonly string[]): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: world.stdin, output: nowhere, terminal: true, historySize: 0 });
  const typed: string[] = [];
  const answered = Promise.withResolvers<void>();
  lines.on('line', (line) => {
    typed.push(line);
    // Waits one turn of the event loop, because further pasted lines may arrive.
    setImmediate(answered.resolve);
  });
  lines.once('SIGINT', () =>
    answered.reject(new Problem('interrupted', 'Interrupted; nothing was changed.')),
  );
  lines.once('close', () =>
    answered.reject(new Problem('not-confirmed', 'Nothing was typed; nothing was changed.')),
  );
  world.stderr.write(escapeText(question));
  try {
    await answered.promise;
  } finally {
    lines.close();
    world.stderr.write('\n');
  }
  const [text = '', ...more] = typed;
  if (more.length === 0) return text;
  throw new Problem(
    'invalid-input',
    'Several lines were pasted, but a multi-line secret cannot be typed.',
    command.length === 0 ? {} : { hint: `Use standard input: ${commandLine(command)} < FILE` },
  );
}
