import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { commandRoot, commandTable } from '../../src/cli/commands/table.ts';
import { readCommandLine } from '../../src/cli/parsing/command-line.ts';
import type { Arguments, CommandDeclaration, FlagDeclaration } from '../../src/cli/parsing/declaration.ts';
import { globalFlags } from '../../src/cli/parsing/flags.ts';
import { interpret } from '../../src/cli/parsing/interpret.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { exitCodes } from '../../src/model/problem.ts';
import { scratchFolder } from '../support/world.ts';
import { anyText, fuzz, prototypeNames, tenth } from './fuzz.ts';

const cwd = scratchFolder('fuzz-cwd');
const home = scratchFolder('fuzz-home');
mkdirSync(join(cwd, 'data'));

/** Credentials and the address of an unreachable platform: every connection is refused. */
const env = {
  EDGECTL_API_BASE_URL: 'http://127.0.0.1:9/client/v4',
  EDGECTL_API_TOKEN: 'credential-in-the-environment',
  EDGECTL_ACCOUNT_ID: '0'.repeat(32),
  EDGECTL_ZONE_ID: '0'.repeat(32),
};

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in a World without a network; waits take no time. */
async function run(argv: readonly string[]): Promise<Ran> {
  const said = { out: '', err: '' };
  const streamTo = (channel: keyof typeof said) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        said[channel] += chunk.toString();
        done();
      },
    });
  const world = {
    argv,
    env,
    cwd,
    pid: process.pid,
    folders: { config: join(home, 'config'), state: join(home, 'state'), data: join(home, 'data') },
    stdin: Readable.from([]),
    stdout: streamTo('out'),
    stderr: streamTo('err'),
    now: () => Date.UTC(2026, 10, 21),
    random: (bytes: number) => new Uint8Array(bytes).fill(7),
    sleep: async () => undefined,
    interrupted: new AbortController().signal,
  };
  const code = await runCommandLine(world, async () => 0);
  return { code, ...said };
}

const documented = new Set([0, ...Object.values(exitCodes)]);
/** These commands print the stored bytes, unchanged. */
const rawAnswers = new Set(['kv key get', 'objstore object get']);
/** Characters that a terminal could interpret, except line feeds. */
const unsafe = /[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function expectCalm(argv: readonly string[], { code, out, err }: Ran): void {
  expect(documented).toContain(code);
  expect(err).not.toMatch(/bug in edgectl|"code":"bug"/);
  const { flags, at } = readCommandLine(argv, commandRoot);
  const debug = flags.some(({ name }) => name === 'debug');
  if (!debug) expect(err).not.toMatch(/^ +at .*:\d+:\d+/m);
  expect(err).not.toMatch(unsafe);
  expect(err).not.toContain(env.EDGECTL_API_TOKEN);
  if (!rawAnswers.has(at.words.join(' '))) expect(out).not.toMatch(unsafe);
  if (code !== 0 && code !== 7) expect(err).not.toBe('');
}

/** Strings that, as paths, stay inside the working directory, so that written files do no harm. */
const text = anyText
  .map((one) => one.replaceAll('\0', '').replace(/\.\.|[/~]/g, ''))
  .filter((one) => Buffer.byteLength(one) < 6000);
const longFlag = fc.oneof(
  fc.constantFrom(...prototypeNames, 'api-token', 'token', 'help', 'yess', 'jsn'),
  text,
);
const token = fc.oneof(
  { weight: 3, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '--',
      '-',
      '---',
      '--=',
      '-=',
      '',
      '-x=1',
      '--json',
      '--debug',
      '-y',
      '--local',
      '--preview',
      '--sandbox',
      '--read-only',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '--namespace-id',
      '--binding',
      '--path',
      '--config',
      '-c',
      '--env',
      '--profile',
      '--ttl',
      '--limit',
      '--prefix',
      '--match',
      '--account-id',
      '--persist-to',
      '--api-base-url',
    ),
  },
  { weight: 1, arbitrary: longFlag.map((name) => `--${name}`) },
  { weight: 1, arbitrary: fc.tuple(longFlag, text).map(([name, value]) => `--${name}=${value}`) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: fc.constantFrom(...'vhyqcejx-'), maxLength: 5 })
      .map((letters) => `-${letters}`),
  },
  { weight: 1, arbitrary: fc.constantFrom(...prototypeNames, 'kv:key', 'kv:', ':', 'a:b:c') },
);

const words = [...new Set(commandTable.flatMap((row) => row.words.split(' ')))];
/** Unchanged words, and words with an extra, missing or different letter. */
const misspelt = fc
  .tuple(fc.constantFrom(...words), fc.nat(8), fc.constantFrom('', 'x', '-', '\u202e'))
  .map(([word, at, letter]) => word.slice(0, at) + letter + word.slice(at + 1));

describe('splitting a command line', () => {
  fuzz(
    'a command line of any words ends with a documented exit code and a harmless message',
    [fc.array(fc.oneof(token, misspelt, fc.constantFrom(...words)), { maxLength: 5 })],
    async (argv) => {
      if (serves(argv)) return;
      expectCalm(argv, await run(argv));
    },
    tenth,
  );

  fuzz(
    'a command with any words ends with a documented exit code and a harmless message',
    [fc.constantFrom(...commandTable.map((row) => row.words)), fc.array(token, { maxLength: 3 })],
    async (command, rest) => {
      const argv = [...command.split(' '), ...rest];
      if (serves(argv)) return;
      expectCalm(argv, await run(argv));
    },
    tenth,
  );

  fuzz(
    'a command line with an unknown flag is rejected without showing the value of the flag',
    [
      fc.constantFrom(...commandTable.map((row) => row.words)),
      fc.stringMatching(/^[a-z]{3,12}-[a-z]{3,12}$/),
      fc.stringMatching(/^[A-Z0-9]{16}$/),
      fc.boolean(),
    ],
    async (command, flag, secret, json) => {
      const row = commandTable.find((one) => one.words === command);
      if (row === undefined || flag in { ...row.flags, ...globalFlags }) return;
      const argv = [...command.split(' '), `--${flag}=${secret}`, ...(json ? ['--json'] : [])];
      const ran = await run(argv);
      expectCalm(argv, ran);
      expect(ran.code).toBe(2);
      expect(ran.err + ran.out).not.toContain(secret);
    },
    tenth,
  );
});

/** Returns true if a command runs until it is stopped, or writes a project (`init`). Separate tests cover these commands. */
function serves(argv: readonly string[]): boolean {
  const { at } = readCommandLine(argv, commandRoot);
  return /^(?:dev|demo|guard start|init|sandbox start)$/.test(at.words.join(' '));
}

/** A valid command line, and its parts. */
interface Typed {
  readonly argv: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
}

interface TypedFlag {
  readonly name: string;
  readonly value: unknown;
  readonly tokens: readonly string[];
}

const plainText = text.filter((one) => !one.startsWith('-'));

const filledText = plainText.filter((one) => one !== '');

/** Valid values for each kind of flag. */
const valueOfKind: Readonly<Record<FlagDeclaration['kind'], fc.Arbitrary<string | number>>> = {
  boolean: fc.constant(''),
  switch: filledText,
  text: plainText,
  texts: plainText,
  path: filledText,
  number: fc.maxSafeInteger(),
  id: fc.stringMatching(/^[0-9a-f]{32}$/),
};

function createFlag([name, flag]: readonly [string, FlagDeclaration]): fc.Arbitrary<TypedFlag> {
  const spelling =
    flag.short === undefined ? fc.constant(`--${name}`) : fc.constantFrom(`--${name}`, `-${flag.short}`);
  if (flag.kind === 'boolean') return spelling.map((spelt) => ({ name, value: true, tokens: [spelt] }));
  if (flag.kind === 'switch') {
    return valueOfKind.switch.map((value) => ({ name, value, tokens: [`--${name}=${value}`] }));
  }
  const value = valueOfKind[flag.kind];
  return fc.tuple(spelling, value, fc.boolean()).map(([spelt, given, joined]) => {
    const isLong = spelt.startsWith('--');
    return {
      name,
      value: given,
      tokens: joined && isLong ? [`${spelt}=${given}`] : [spelt, String(given)],
    };
  });
}

function createArguments(
  declared: Arguments,
): fc.Arbitrary<Readonly<Record<string, string | readonly string[] | undefined>>> {
  const entries = Object.entries(declared).map(([name, { kind, many, optional }]) => {
    const given = kind === 'path' ? filledText : plainText;
    const one = many ? fc.array(given, { minLength: optional ? 0 : 1, maxLength: 3 }) : given;
    return [name, one] as const;
  });
  return fc.record(Object.fromEntries(entries));
}

/** Inserts the flags at any position among the words and arguments, without changing the order of the words and arguments. */
function woven(
  positional: readonly string[],
  flags: readonly TypedFlag[],
  places: readonly number[],
): string[] {
  const at = flags.map((_flag, index) => (places[index] ?? 0) % (positional.length + 1));
  return Array.from({ length: positional.length + 1 }, (_, place) => [
    ...flags.filter((_flag, index) => at[index] === place).flatMap(({ tokens }) => tokens),
    ...positional.slice(place, place + 1),
  ]).flat();
}

function typed(command: string, body: CommandDeclaration): fc.Arbitrary<Typed> {
  const known = Object.entries({ ...body.flags, ...globalFlags } as Record<string, FlagDeclaration>).filter(
    ([name]) => name !== 'help' && name !== 'version',
  );
  const flags = fc.uniqueArray(fc.oneof(...known.map((flag) => createFlag(flag))), {
    maxLength: 5,
    selector: ({ name }) => name,
  });
  return fc
    .tuple(createArguments(body.arguments), flags, fc.array(fc.nat(), { minLength: 5, maxLength: 5 }))
    .map(([args, given, places]) => {
      const positional = [...command.split(' '), ...Object.values(args).flatMap((value) => value ?? [])];
      const isMany = (name: string) => body.flags[name]?.kind === 'texts';
      return {
        argv: woven(positional, given, places),
        args,
        flags: Object.fromEntries(given.map(({ name, value }) => [name, isMany(name) ? [value] : value])),
      };
    });
}

describe('parsing a valid command line to its inputs', () => {
  const anyTyped = fc
    .constantFrom(...commandTable)
    .chain((row) => typed(row.words, row).map((line) => ({ row, line })));
  fuzz(
    'parses a valid command line with its flags before, between and after its words',
    [anyTyped],
    ({ row, line }) => {
      const meaning = interpret(readCommandLine(line.argv, commandRoot), commandRoot);
      if (meaning.kind !== 'command') throw new Error('it names no command');
      expect(meaning.row.words).toBe(row.words);
      const { args, flags } = meaning.input;
      expect(args).toEqual(line.args);
      const isSilent = (value: unknown) =>
        value === false || value === undefined || (Array.isArray(value) && value.length === 0);
      const said = Object.entries(flags).filter(([name, value]) => name in line.flags || !isSilent(value));
      expect(Object.fromEntries(said)).toEqual(line.flags);
    },
  );
});
