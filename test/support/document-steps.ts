import { readFileSync } from 'node:fs';

/** A step of a document: a shell command, or a file to save. */
export type DocumentStep = CommandStep | FileStep;

export interface CommandStep {
  readonly kind: 'command';
  /** The command as written. A continued command, or a command with a here-document, has several lines. */
  readonly text: string;
  /** The exit code in the comment of the command (default: 0). */
  readonly wanted: number;
  /** The expected output in the comment of the command: `# prints …`. */
  readonly prints: string | undefined;
}

export interface FileStep {
  readonly kind: 'file';
  readonly name: string;
  readonly text: string;
}

/** A code block of a document. */
interface Block {
  /** The language after the opening fence. */
  readonly language: string;
  readonly text: string;
  /** The file name in a comment on the first line of the block: `# seed.yaml`, `// app.test.mjs`. */
  readonly file: string | undefined;
  /** The reason why no test runs the block, from the comment above the block: `<!-- not run: … -->`. */
  readonly because: string | undefined;
}

/** Lines of a document that no test runs. */
export interface Unrun {
  readonly lines: readonly string[];
  /** The reason why no test runs the lines; undefined if the document contains no reason. */
  readonly because: string | undefined;
}

/** A command of a document, and its result. */
export interface RanCommand extends CommandStep {
  /** The exit code; undefined if the shell had already exited. */
  readonly code: number | undefined;
  /** The output of the command. */
  readonly said: string;
}

/** Returns the commands whose result differs from the document. */
export function surprising(ran: readonly RanCommand[]): RanCommand[] {
  return ran.filter(({ code, wanted, said, prints = '' }) => code !== wanted || !said.includes(prints));
}

/** Returns all steps of a document in order, except those marked as not run. */
export function listSteps(path: string): DocumentStep[] {
  return listBlocks(path).flatMap(({ language, text, file, because }): DocumentStep[] => {
    if (because !== undefined) return [];
    if (file !== undefined) return [{ kind: 'file', name: file, text }];
    return language === 'sh' ? listCommands(text) : [];
  });
}

/** Returns the command lines of a document that are not steps, or that are marked as not run. */
export function listUntested(path: string): Unrun[] {
  return listBlocks(path).flatMap(({ language, text, file, because }) => {
    const isStep = because === undefined && (language === 'sh' || file !== undefined);
    const lines = text
      .split('\n')
      .filter((line) => isCommandLine(line) || (language === 'sh' && line !== ''));
    return isStep || lines.length === 0 ? [] : [{ lines: lines.map((line) => line.trim()), because }];
  });
}

/** Returns true if a line of code starts edgectl. */
function isCommandLine(line: string): boolean {
  return /(?:^|[\s'])edgectl [a-z-]/.test(line);
}

function listBlocks(path: string): Block[] {
  const text = readFileSync(path, 'utf8');
  const fenced = /(?:^<!-- not run: (.+) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm;
  return [...text.matchAll(fenced)].map(([, because, language = '', inside = '']) => ({
    language,
    text: inside,
    file: /^(?:#|\/\/) ([\w./-]+\.\w+)\n/.exec(inside)?.[1],
    because,
  }));
}

/** Returns the commands of a block: one per line, including continuation lines. */
function listCommands(block: string): CommandStep[] {
  const commands: CommandStep[] = [];
  const lines = block.split('\n');
  while (lines.length > 0) {
    const taken = [lines.shift() ?? ''];
    const end = /<<'?(\w+)'?/.exec(taken[0] ?? '')?.[1];
    while (lines.length > 0 && (end === undefined ? taken.at(-1)?.endsWith('\\') : taken.at(-1) !== end))
      taken.push(lines.shift() ?? '');
    const text = taken.join('\n');
    const wanted = Number(/# .*\bexit (\d+)/.exec(text)?.[1] ?? 0);
    const prints = /# prints (.+)$/m.exec(text)?.[1];
    if (text.trim() !== '' && !text.startsWith('#')) commands.push({ kind: 'command', text, wanted, prints });
  }
  return commands;
}
