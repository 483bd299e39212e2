import { nearest } from '../../src/text/nearest.ts';

/** A line of a script: its first word, the other words, and the indented lines below it. */
export interface Line {
  /** The number of the line, starting at 1. */
  readonly number: number;
  readonly text: string;
  /** Whether the line begins with `!`. */
  readonly negated: boolean;
  readonly word: string;
  readonly argument: string;
  /** The indented lines without their indentation, each with a line feed; undefined if no indented lines follow. */
  readonly block: string | undefined;
}

/** A line with an action; for a command, also the lines with its input and expectations. */
export interface Step extends Line {
  readonly below: readonly Line[];
}

const commands = ['edgectl', 'exec'];
const doing = [...commands, 'at', 'sandbox', 'env', 'write', 'file', 'visit', 'console', 'keys', 'screen'];
const belowCommands = ['stdin', 'stdout', 'stderr', 'exit', 'keep'];
const negatable = ['stdout', 'stderr', 'file', 'screen'];
const indentation = '  ';

/** Parses a script. Throws an error with the line number for an unknown or misplaced word. */
export function parseScript(text: string): Step[] {
  const steps: (Step & { below: Line[] })[] = [];
  for (const line of readLines(text)) {
    const command = steps.at(-1);
    const isBelow = command !== undefined && commands.includes(command.word);
    if (belowCommands.includes(line.word) && isBelow) command.below.push(line);
    else if (doing.includes(line.word) || line.word === 'exit') steps.push({ ...line, below: [] });
    else throw new Error(`${line.number}: ${line.text}\n${line.word} must be below a command`);
  }
  return steps;
}

function readLines(text: string): Line[] {
  const lines: Line[] = [];
  let blanks = 0;
  text.split('\n').forEach((line, at) => {
    if (line.startsWith(indentation)) {
      const last = lines.pop();
      if (last === undefined || !takesBlock(last)) throw new Error(`${at + 1}: ${line}\n${misplacedBlock}`);
      const before = last.block === undefined ? '' : last.block + '\n'.repeat(blanks);
      lines.push({ ...last, block: `${before}${line.slice(indentation.length)}\n` });
      blanks = 0;
    } else if (line === '') blanks += 1;
    else {
      blanks = 0;
      if (!line.startsWith('#')) lines.push(readLine(line, at + 1));
    }
  });
  return lines;
}

const misplacedBlock = 'an indented line must be below stdin, write PATH or a line that ends in "is"';

function takesBlock({ word, argument }: Line): boolean {
  if (word === 'stdin' || word === 'write') return true;
  return ['stdout', 'stderr', 'file'].includes(word) && /(^| )is$/.test(argument);
}

function readLine(text: string, number: number): Line {
  const [, not = '', word = '', argument = ''] = /^(! ?)?(\S*) ?(.*)$/.exec(text) ?? [];
  const line = { number, text, negated: not !== '', word, argument: argument.trim(), block: undefined };
  const fault = findFault(line);
  if (fault !== undefined) throw new Error(`${number}: ${text}\n${fault}`);
  return line;
}

function findFault({ word, negated, argument }: Line): string | undefined {
  const known = [...doing, ...belowCommands];
  if (!known.includes(word)) {
    const near = nearest(word, known);
    const hint = near === undefined ? `The words are ${known.join(', ')}.` : `Did you mean ${near}?`;
    return `no line begins with "${word}". ${hint}`;
  }
  if (negated && !negatable.includes(word)) return `! is allowed only before ${negatable.join(', ')}`;
  if (word === 'at' && !/^(sandbox|local)( (sandbox|local))*$/.test(argument)) {
    return 'expected: at sandbox, at local or at sandbox local';
  }
  return undefined;
}

/** Inserts variables into a line. In commands, this happens before the line is split into words, because `{AT}` is several words. */
export function filled<Some extends Line>(line: Some, variables: ReadonlyMap<string, string>): Some {
  const fill = (text: string) =>
    text.replace(/\{([A-Za-z]\w*)\}/g, (whole, name: string) => variables.get(name) ?? whole);
  return {
    ...line,
    argument: fill(line.argument),
    block: line.block === undefined ? undefined : fill(line.block),
  };
}
