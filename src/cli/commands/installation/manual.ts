import { Problem } from '../../../model/problem.ts';
import { escapeText } from '../../../text/escape.ts';
import { manualPages } from '../../output/manual.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';

export const manualCommand = command<typeof declared.manual>({
  async run({ commands, output }, { args: { PAGE: name = '' } }) {
    const pages = manualPages(commands.rows);
    const page = pages.find(({ group }) => group === name);
    if (page === undefined) {
      const groups = pages.map(({ group }) => group).filter((group) => group !== '');
      throw new Problem('usage', `No manual page for "${escapeText(name)}".`, {
        hint: `Pages: ${groups.join(', ')}; without PAGE, the page on edgectl itself.`,
      });
    }
    await output.answer(page.text);
    return 0;
  },
});
