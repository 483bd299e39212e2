import { keepHeapSmall } from '../../../heap.ts';
import { exitCodes } from '../../../model/problem.ts';
import { Samples } from '../../../model/samples.ts';
import { type Difference, diffNamespaces } from '../../../services/kv/transfer/diff.ts';
import { escapeText } from '../../../text/escape.ts';
import { groupDigits } from '../../../text/size.ts';
import { jsonText, type Output } from '../../output/output.ts';
import { openProgress } from '../../output/progress.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './bulk-declarations.ts';
import { refuseLost } from './bulk-report.ts';
import { describeNamespace, openSource } from './copy.ts';
import { checkDestinationFlags, openDestination } from './destination.ts';
import { openNamespace } from './namespace-choice.ts';

const marks = { added: '+', removed: '-', changed: '~' } as const;

export const diffCommand = command<typeof declared.kvDiff>({
  async run(context, { flags }) {
    keepHeapSmall();
    checkDestinationFlags(flags);
    const { world, output } = context;
    const from = await openNamespace(context, flags);
    const to = await openDestination(context, from.session, flags);
    const display = openProgress(world, output, flags.quiet || output.isTerminal);
    const lost = new Samples();
    const counts = { added: 0, removed: 0, changed: 0 };
    try {
      output.note(`Comparing ${describeNamespace(from)} with ${describeNamespace(to)}.`);
      const options = { prefix: flags.prefix, keysOnly: flags['keys-only'], reporter: display };
      const groups = diffNamespaces({ ...openSource(from), lost }, { ...openSource(to), lost }, options);
      await answerDifferences(output, counted(groups, counts));
    } finally {
      display.end();
      await to.session.close();
    }
    const { added, removed, changed } = counts;
    const total = added + removed + changed;
    output.note(
      total === 0
        ? 'No differences.'
        : `${groupDigits(added)} added, ${groupDigits(removed)} removed, ${groupDigits(changed)} changed.`,
      counts,
    );
    refuseLost(lost);
    return total === 0 ? 0 : exitCodes['check-failed'];
  },
});

type Groups = AsyncIterable<readonly Difference[]>;

async function* counted(groups: Groups, counts: Record<Difference['change'], number>): Groups {
  for await (const group of groups) {
    for (const { change } of group) counts[change]++;
    yield group;
  }
}

async function answerDifferences(output: Output, groups: Groups): Promise<void> {
  let count = 0;
  for await (const group of groups) {
    if (group.length === 0) continue;
    if (output.json) {
      const rows = group.map((difference) => `  ${jsonText(difference)}`).join(',\n');
      await output.listing((count === 0 ? '[\n' : ',\n') + rows);
    } else {
      await output.listing(group.map((difference) => `${formatLine(difference)}\n`).join(''));
    }
    count += group.length;
  }
  if (output.json) await output.listing(count === 0 ? '[]\n' : '\n]\n');
}

function formatLine(difference: Difference): string {
  const fields = difference.change === 'changed' ? ` (${difference.fields.join(', ')})` : '';
  return `${marks[difference.change]} ${escapeText(difference.key)}${fields}`;
}
