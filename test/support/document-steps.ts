import { readFileSync } from 'node:fs';

/** A step of a reader: a command at a shell, or a file that is saved. */
export type DocumentStep = CommandStep | FileStep;

export interface CommandStep {
  readonly kind: 'command';
  /** As it stands there; of several lines where it is continued, or has a text below it. */
  readonly text: string;
  /** The exit code that its remark names, else 0. */
  readonly wanted: number;
  /** What it prints, as its remark says: `# prints …`. */
  readonly prints: string | undefined;
}

export interface FileStep {
  readonly kind: 'file';
  readonly name: string;
  readonly text: string;
}

/** A block of code of a document. */
interface Block {
  /** The language behind its fence. */
  readonly language: string;
  readonly text: string;
  /** The file that its first line names in a remark: `# seed.yaml`, `// app.test.mjs`. */
  readonly file: string | undefined;
  /** Why no test runs it, as the remark above it says: `<!-- not run: … -->`. */
  readonly because: string | undefined;
}

/** Lines of a document that no test runs. */
export interface Unrun {
  readonly lines: readonly string[];
  /** Undefined where the document gives no reason. */
  readonly because: string | undefined;
}

/** A command of a document, and what became of it. */
export interface RanCommand extends CommandStep {
  /** Its exit code; undefined where the shell had ended before. */
  readonly code: number | undefined;
  /** What it wrote. */
  readonly said: string;
}

/** Those of the commands that did something else than the document says. */
export function surprising(ran: readonly RanCommand[]): RanCommand[] {
  return ran.filter(({ code, wanted, said, prints = '' }) => code !== wanted || !said.includes(prints));
}

/** The steps of a reader who does all that a document shows, in order; without what is marked as not run. */
export function stepsOf(path: string): DocumentStep[] {
  return blocksOf(path).flatMap(({ language, text, file, because }): DocumentStep[] => {
    if (because !== undefined) return [];
    if (file !== undefined) return [{ kind: 'file', name: file, text }];
    return language === 'sh' ? commandsOf(text) : [];
  });
}

/** The command lines of a document that are no steps of it, or are marked as not run. */
export function unrunOf(path: string): Unrun[] {
  return blocksOf(path).flatMap(({ language, text, file, because }) => {
    const isStep = because === undefined && (language === 'sh' || file !== undefined);
    const lines = text
      .split('\n')
      .filter((line) => isCommandLine(line) || (language === 'sh' && line !== ''));
    return isStep || lines.length === 0 ? [] : [{ lines: lines.map((line) => line.trim()), because }];
  });
}

/** Whether a line of code starts edgectl. */
function isCommandLine(line: string): boolean {
  return /(?:^|[\s'])edgectl [a-z-]/.test(line);
}

function blocksOf(path: string): Block[] {
  const text = readFileSync(path, 'utf8');
  const fenced = /(?:^<!-- not run: (.+) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm;
  return [...text.matchAll(fenced)].map(([, because, language = '', inside = '']) => ({
    language,
    text: inside,
    file: /^(?:#|\/\/) ([\w./-]+\.\w+)\n/.exec(inside)?.[1],
    because,
  }));
}

/** The commands of a block: a line each, with what a shell reads as part of it. */
function commandsOf(block: string): CommandStep[] {
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
