import { Problem } from '../model/problem.ts';
import { escapeText } from '../text/escape.ts';
import type { World } from '../world.ts';

/** The text of a question. A list has one line per item: a line break inside an item is data, and is shown escaped. */
type QuestionText = string | readonly string[];

/** Confirmation prompts of flag mode. Without a terminal, every question fails unless `--yes` is set. */
export interface Ask {
  /** Whether `--yes` answers every question. If so, commands do not read data that only a question would show. */
  readonly isAnswered: boolean;
  /**
   * Asks a yes-or-no question on stderr. `enter` is the answer that a bare Enter gives; if omitted, a bare Enter repeats the question.
   * Fails with `not-confirmed` if the user answers "no" or closes the input, or if there is no terminal and `--yes` is not set; Ctrl-C
   * fails with `interrupted`. `lost` describes what would be lost. `beforehand` is the flag that confirms in advance (default: `--yes`).
   */
  confirm(question: QuestionText, lost: string, enter?: 'yes', beforehand?: string): Promise<void>;
  /** Asks the user to confirm by typing a string (a title); surrounding whitespace is ignored. Fails like `confirm`. */
  confirmTyped(question: string, lost: string, text: string, beforehand?: string): Promise<void>;
}

export function openAsk(world: World, yes: boolean): Ask {
  return {
    isAnswered: yes,
    async confirm(question, lost, enter, beforehand) {
      if (yes) return;
      refuseWithoutTerminal(world, lost, beforehand);
      const choices = enter === 'yes' ? '(Y/n)' : '(y/n)';
      for (;;) {
        const typed = (await readLine(world, question, `${choices} `)).trim().toLowerCase();
        if (typed === 'y' || typed === 'yes' || (typed === '' && enter === 'yes')) return;
        if (typed === 'n' || typed === 'no') throw notConfirmedProblem();
      }
    },
    async confirmTyped(question, lost, text, beforehand) {
      if (yes) return;
      refuseWithoutTerminal(world, lost, beforehand);
      const typed = await readLine(world, question);
      if (typed !== text && typed.trim() !== text) throw notConfirmedProblem();
    },
  };
}

function notConfirmedProblem(): Problem {
  return new Problem('not-confirmed', 'Not confirmed; nothing was changed.');
}

function refuseWithoutTerminal(world: World, lost: string, beforehand = '--yes'): void {
  if (world.stdin.isTTY === true) return;
  throw new Problem('not-confirmed', `${lost} Not confirmed; nothing was changed.`, {
    hint: `Without a terminal, edgectl cannot ask for confirmation. To confirm in advance, add ${beforehand}.`,
  });
}

async function readLine(world: World, question: QuestionText, choices = ''): Promise<string> {
  // The module is loaded only for a question: most commands ask no question, and loading the module takes a tenth of the startup time.
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: world.stdin, output: world.stderr, terminal: true });
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(notConfirmedProblem()));
    lines.once('SIGINT', () => reject(new Problem('interrupted', 'Interrupted; nothing was changed.')));
  });
  let answered = false;
  try {
    const prompt = [question].flat().map((line) => escapeText(line));
    const line = await Promise.race([lines.question(`${prompt.join('\n')} ${choices}`), ended]);
    answered = true;
    return line;
  } finally {
    lines.close();
    if (!answered) world.stderr.write('\n');
  }
}
