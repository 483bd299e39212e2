import { exitCodes } from '../../../model/problem.ts';
import { compareKeys, comparisonLines } from '../../../services/kv/compare.ts';
import { escapeText } from '../../../text/escape.ts';
import { command } from '../../parsing/command.ts';
import { describeNamespace } from './copy.ts';
import type * as declared from './declarations.ts';
import { checkDestinationFlags, openDestination } from './destination.ts';
import { openNamespace } from './namespace-choice.ts';

export const diffCommand = command<typeof declared.keyDiff>({
  async run(context, { args, flags }) {
    checkDestinationFlags(flags);
    const { world, output } = context;
    const from = await openNamespace(context, flags);
    const to = await openDestination(context, from.session, flags);
    const otherKey = flags['to-key'] ?? args.KEY;
    try {
      const comparison = await compareKeys(
        { session: from.session, namespaceId: from.id, key: args.KEY },
        { session: to.session, namespaceId: to.id, key: otherKey },
        world.interrupted,
      );
      const isSame = comparison.left === comparison.right && comparison.differences.length === 0;
      if (output.json)
        await output.answerJson({ key: args.KEY, toKey: otherKey, same: isSame, ...comparison });
      else if (!isSame) {
        const names = [
          `--- ${escapeText(args.KEY)}  ${describeNamespace(from)}`,
          `+++ ${escapeText(otherKey)}  ${describeNamespace(to)}`,
        ];
        const lines = comparisonLines(comparison).map(({ sign, text }) =>
          sign === '@' ? `@@ ${escapeText(text)} @@` : `${sign}${escapeText(text)}`,
        );
        await output.listing(`${[...names, ...lines].join('\n')}\n`);
      }
      if (isSame)
        output.note(comparison.left === 'absent' ? 'Neither side has this key.' : 'No differences.');
      return isSame ? 0 : exitCodes['check-failed'];
    } finally {
      await to.session.close();
    }
  },
});
