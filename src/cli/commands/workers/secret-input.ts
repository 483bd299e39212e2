import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Problem } from '../../../model/problem.ts';
import { escapeText } from '../../../text/escape.ts';
import { commandLine } from '../../../text/shell.ts';
import { readBody } from '../../../v4/send.ts';
import type { World } from '../../../world.ts';
import { interruptibleStdin } from '../../stdin.ts';

/** Longer than any secret or file of secrets that the platform takes. */
const limit = 1024 * 1024;

/** The value of a secret, and whether a newline at its end was removed. */
export interface SecretText {
  readonly text: string;
  readonly trimmed: boolean;
}

/** A secret that is asked for. */
export interface SecretAsked {
  /** Put at a terminal. */
  readonly question: string;
  /** The thing that it is: `API token`. */
  readonly what: string;
  /** Arguments of the command that takes it on standard input, for a hint. */
  readonly command: readonly string[];
}

/**
 * A secret's text: typed at a terminal after a question, without being shown, else all of standard input without one
 * newline at its end. Refuses several lines pasted at the terminal, an empty input, what is not UTF-8, and
 * Ctrl-C or Ctrl-D.
 */
export async function readSecret(
  world: World,
  { question, what, command }: SecretAsked,
): Promise<SecretText> {
  if (world.stdin.isTTY === true) return { text: await readHidden(world, question, command), trimmed: false };
  const whole = await readText(interruptibleStdin(world), 'Standard input');
  const text = whole.replace(/\r?\n$/, '');
  if (text === '')
    throw new Problem('invalid-input', `Standard input is empty, and has no ${what}; nothing was changed.`, {
      hint: `Type it on a terminal, or send it: ${commandLine(command)} < FILE`,
    });
  return { text, trimmed: text !== whole };
}

/** Bytes of a stream as UTF-8 text. Refuses with the name what is longer than 1 MiB or no UTF-8; shows none of it. */
export async function readText(stream: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBody(stream, limit));
  } catch (error) {
    if (error instanceof RangeError) throw new Problem('invalid-input', `${name} is longer than 1 MiB.`);
    if (error instanceof TypeError) throw new Problem('invalid-input', `${name} is not UTF-8 text.`);
    throw error;
  }
}

/** One line typed at the terminal. The terminal is put in raw mode before the question is asked, and shows nothing. */
async function readHidden(world: World, question: string, command: readonly string[]): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: world.stdin, output: nowhere, terminal: true, historySize: 0 });
  const typed: string[] = [];
  const answered = Promise.withResolvers<void>();
  lines.on('line', (line) => {
    typed.push(line);
    // The other lines of what was pasted come in the same turn.
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
    'Several lines were pasted, and a secret of several lines cannot be typed.',
    {
      hint: `Give it on standard input: ${commandLine(command)} < FILE`,
    },
  );
}
