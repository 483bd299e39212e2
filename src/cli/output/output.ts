import { ReaderClosed, unwrittenRest, writeTo } from '../../files/reader.ts';
import { truncateMessage } from '../../model/long-text.ts';
import type { Problem } from '../../model/problem.ts';
import type { RemedyTexts } from '../../model/remedy.ts';
import { escapeJson, escapeText } from '../../text/escape.ts';
import { jsonListParts } from '../../text/json.ts';
import { problemJson, problemLines } from '../../text/problem.ts';
import { type Redact, redactSecrets } from '../../text/redact.ts';
import type { World } from '../../world.ts';
import { remedyTextsFor } from './remedy-texts.ts';

/** Facts of a message for programs. `--json` prints them next to the type and the text of the message. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The two channels of flag mode: the answer on stdout, messages on stderr. With `--json` the answer is one value `A`, or one
 * `L` per line.
 */
export interface Output<A = unknown, L = unknown> {
  readonly json: boolean;
  /** Whether anything was written to stdout. */
  readonly hasAnswered: boolean;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Aborted when the reader closes stdout (`| head`). The abort ends the command, and nothing more is printed. */
  readonly readerGone: AbortSignal;
  /**
   * Writes bytes or a string to stdout unchanged: values, objects, or program text. Waits until the reader has consumed them.
   */
  answer(content: string | Uint8Array): Promise<void>;
  /** Prints a result line for people, escaped. */
  line(text: string): Promise<void>;
  /** Prints a result line for people; with `--json`, prints `fields` as one JSON value instead. */
  result(line: string, fields: A): Promise<void>;
  /** Prints platform data for people or programs unchanged, except that edgectl's own credentials are redacted. */
  listing(text: string): Promise<void>;
  /** Prints a JSON value to stdout, indented. */
  answerJson(value: A): Promise<void>;
  /** Prints a JSON value to stdout on one line. */
  answerJsonLine(value: L): Promise<void>;
  /** Like `answerJson`, for an object whose list is streamed as it arrives; `tail` follows the list. */
  answerJsonList(
    head: Fields,
    name: string,
    list: Iterable<unknown> | AsyncIterable<unknown>,
    tail: () => Fields,
  ): Promise<void>;
  /** Prints a message line; silent with `--quiet`. */
  note(message: string, fields?: Fields): void;
  /** Prints a message line, even with `--quiet`. */
  warn(message: string, fields?: Fields): void;
  /** Prints a debug line, with `--debug`. */
  trace(message: string, fields?: Fields): void;
  /**
   * Shows a line at the bottom of the terminal, on stderr, until the next call replaces the line; undefined removes the line. The text is
   * not escaped, and must fit the width of the terminal.
   */
  live(text: string | undefined): void;
  problem(problem: Problem): void;
  /** The wording of remedies for this command line. */
  readonly words: RemedyTexts;
  /** Redacts these credentials in all later output except `answer`. */
  conceal(secrets: readonly string[]): void;
  /** Redacts the credentials known so far in a string that other code shows. */
  redacted(text: string): string;
}

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether the command continues after the reader closes stdout, because a data change must not be abandoned halfway. */
  readonly outlivesReader?: boolean;
}

export function openOutput(world: World, options: OutputOptions): Output {
  const { json, quiet, outlivesReader = false } = options;
  let live = '';
  const words = remedyTextsFor(world.argv);
  const concealed = new Set<string>();
  let redact: Redact = (text) => text;
  const reader = new AbortController();
  let hasAnswered = false;
  const toStderr = (text: string): void => {
    if (reader.signal.aborted) return;
    const rest = unwrittenRest(world.direct?.stderr, text);
    if (rest !== undefined) world.stderr.write(rest);
  };
  const line = (text: string): void => toStderr(`${clearLineSequence(live)}${redact(text)}\n${live}`);
  const say = (type: string, message: string, fields: Fields = {}): void =>
    line(json ? jsonText({ type, message, ...fields }) : escapeText(message));
  const shorten = (message: string): string => (json ? message : truncateMessage(message));
  const answer = async (content: string | Uint8Array): Promise<void> => {
    hasAnswered ||= content.length > 0;
    const rest = unwrittenRest(world.direct?.stdout, content);
    if (rest === undefined) return;
    if (outlivesReader) return writeTo(world.stdout, rest, world).catch(ignoreReaderGone);
    // The signal is aborted before the error is thrown, so that work for the reader ends immediately and does not start again.
    await writeTo(world.stdout, rest, { interrupted: world.interrupted, onGone: () => reader.abort() });
  };
  const listing = (text: string): Promise<void> => answer(redact(text));
  return {
    json,
    words,
    get hasAnswered() {
      return hasAnswered;
    },
    get isTerminal() {
      return world.direct?.stdout === undefined && world.stdout.isTTY === true;
    },
    readerGone: reader.signal,
    answer,
    listing,
    line: (text) => listing(`${escapeText(text)}\n`),
    result: (text, fields) => listing(json ? `${jsonText(fields, 2)}\n` : `${escapeText(text)}\n`),
    answerJson: (value) => listing(`${jsonText(value, 2)}\n`),
    answerJsonLine: (value) => listing(`${jsonText(value)}\n`),
    answerJsonList: async (head, name, list, tail) => {
      for await (const part of jsonListParts(head, name, list, tail)) await listing(part);
    },
    note: (message, fields) => (quiet ? undefined : say('note', shorten(message), fields)),
    warn: (message, fields) => say('warning', shorten(message), fields),
    trace: (message, fields) => say('debug', message, fields),
    live(text = '') {
      const shown = escapeText(text);
      if (shown !== live) toStderr(clearLineSequence(live) + shown);
      live = shown;
    },
    problem: (problem) =>
      json ? line(jsonText(problemJson(problem, words))) : problemLines(problem, words).forEach(line),
    conceal(secrets) {
      // Most calls add no new secret, because the console opens a session with the same credentials for each task.
      if (secrets.every((secret) => concealed.has(secret))) return;
      for (const secret of secrets) concealed.add(secret);
      redact = redactSecrets([...concealed]);
    },
    redacted: (text) => redact(text),
  };
}

function ignoreReaderGone(error: unknown): void {
  if (!(error instanceof ReaderClosed)) throw error;
}

/** Returns the control sequence that clears the line with the cursor; empty for an empty line. */
function clearLineSequence(line: string): string {
  return line === '' ? '' : '\r\u001b[2K';
}

/** Returns JSON that is safe to print on a terminal: the same value, with unsafe characters as `\\uXXXX`. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent) ?? 'null');
}

/** Streams a JSON array page by page in the layout of `JSON.stringify(…, 2)`; stops after `limit` rows. */
export async function answerArray(
  output: Output,
  pages: AsyncIterable<readonly unknown[]>,
  limit: number,
): Promise<void> {
  let count = 0;
  for await (const page of pages) {
    const rows = page.slice(0, limit - count).map(indentJson);
    if (rows.length > 0) await output.listing((count === 0 ? '[\n' : ',\n') + rows.join(',\n'));
    count += rows.length;
    if (count >= limit) break;
  }
  await output.listing(count === 0 ? '[]\n' : '\n]\n');
}

function indentJson(row: unknown): string {
  return jsonText(row, 2).replace(/^/gm, '  ');
}
