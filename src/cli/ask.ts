import { Problem } from '../model/problem.ts';
import { escapeText } from '../text/escape.ts';
import type { World } from '../world.ts';

/** Confirmations of flag mode. Without a terminal nothing is answered for the user. */
export interface Ask {
  /** Whether nothing is asked, because `--yes` answers everything: what only a question needs is not read then. */
  readonly isAnswered: boolean;
  /**
   * Asks a yes-or-no question on stderr. `enter` is the meaning of a bare Enter; without it the question is repeated. Refuses
   * with not-confirmed on "no", and without a terminal unless `--yes`; `lost` says what would have been lost, and `beforehand`
   * what answers the question (default: `--yes`).
   */
  confirm(question: string, lost: string, enter?: 'yes', beforehand?: string): Promise<void>;
  /** Asks the user to type a string (a title) to confirm, exactly or with surrounding blanks. Refuses like `confirm`. */
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
        const typed = (await readLine(world, `${question} ${choices} `)).trim().toLowerCase();
        if (typed === 'y' || typed === 'yes' || (typed === '' && enter === 'yes')) return;
        if (typed === 'n' || typed === 'no') throw declined();
      }
    },
    async confirmTyped(question, lost, text, beforehand) {
      if (yes) return;
      refuseWithoutTerminal(world, lost, beforehand);
      const typed = await readLine(world, `${question} `);
      if (typed !== text && typed.trim() !== text) throw declined();
    },
  };
}

function declined(): Problem {
  return new Problem('not-confirmed', 'Not confirmed; nothing was changed.');
}

function refuseWithoutTerminal(world: World, lost: string, beforehand = '--yes'): void {
  if (world.stdin.isTTY === true) return;
  throw new Problem('not-confirmed', `${lost} Not confirmed; nothing was changed.`, {
    hint: `There is no terminal to ask on. To confirm beforehand, add ${beforehand}.`,
  });
}

async function readLine(world: World, question: string): Promise<string> {
  // Loaded when something is asked: most commands ask nothing, and it costs them a tenth of their start.
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: world.stdin, output: world.stderr, terminal: true });
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(declined()));
    lines.once('SIGINT', () => reject(new Problem('interrupted', 'Interrupted; nothing was changed.')));
  });
  let answered = false;
  try {
    const line = await Promise.race([lines.question(escapeText(question)), ended]);
    answered = true;
    return line;
  } finally {
    lines.close();
    if (!answered) world.stderr.write('\n');
  }
}
