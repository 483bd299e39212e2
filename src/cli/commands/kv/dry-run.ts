import { escapeText } from '../../../text/escape.ts';
import { groupDigits } from '../../../text/size.ts';
import { describeHash } from '../../confirmed-deletion.ts';
import { jsonText } from '../../output/output.ts';
import type { ProgressDisplay } from '../../output/progress.ts';
import type { Context } from '../../parsing/command.ts';
import type { OpenNamespace } from './namespace-choice.ts';

/** Effects on a key: the mark on its line, and its label in the summary. */
const effects = {
  create: ['+', 'would be created'],
  change: ['~', 'would be changed'],
  replace: ['~', 'would be overwritten'],
  delete: ['-', 'would be deleted'],
  same: ['=', 'would stay the same'],
  skip: ['=', 'would be left unchanged'],
  conflict: ['!', 'already exist, so nothing would be copied'],
  missing: ['!', 'not found'],
} as const;

export type Effect = keyof typeof effects;

interface PreviewOptions {
  readonly namespace: OpenNamespace;
  /** Lists the effect on each key. */
  readonly verbose: boolean;
  readonly display: ProgressDisplay;
  /** Counts are upper limits: no values are read, so keys with lost values count as written. */
  readonly isUpTo?: boolean;
  /** Hash that confirms the deletion. */
  readonly hash?: string | undefined;
}

type Groups = AsyncIterable<readonly { readonly key: string; readonly effect: Effect }[]>;

/** Reports what a command would do: counts and, with `verbose`, each key. Returns exit code 0. */
export async function answerPreview(
  context: Context,
  groups: Groups,
  { namespace, verbose, display, isUpTo = false, hash }: PreviewOptions,
): Promise<number> {
  const { output } = context;
  const counts = new Map<Effect, number>();
  const isArray = output.json && verbose;
  let shown = 0;
  if (isArray) await output.listing('{\n  "keys": [');
  for await (const group of groups) {
    for (const { effect } of group) counts.set(effect, (counts.get(effect) ?? 0) + 1);
    if (!verbose || group.length === 0) continue;
    display.end();
    const rows = group.map((row) => (output.json ? `    ${jsonText(row)}` : formatLine(row.effect, row.key)));
    if (isArray) await output.listing(`${shown === 0 ? '\n' : ',\n'}${rows.join(',\n')}`);
    else await output.listing(`${rows.join('\n')}\n`);
    shown += group.length;
  }
  display.end();
  const fields = {
    dryRun: true,
    namespaceId: namespace.id,
    target: namespace.session.label,
    ...Object.fromEntries(counts),
    ...(hash !== undefined && { hash }),
  };
  if (isArray) await output.listing(`${shown === 0 ? '' : '\n  '}],\n${jsonText(fields, 2).slice(2)}\n`);
  else {
    const confirm = hash === undefined ? '' : ` ${describeHash(hash)}.`;
    await output.result(`${summary(counts, namespace, isUpTo)}${confirm}`, fields);
  }
  return 0;
}

function formatLine(effect: Effect, key: string): string {
  return `${effects[effect][0]} ${escapeText(key)}`;
}

function summary(
  counts: ReadonlyMap<Effect, number>,
  { id, session }: OpenNamespace,
  isUpTo: boolean,
): string {
  const parts = (Object.keys(effects) as Effect[]).flatMap((effect) => {
    const count = counts.get(effect) ?? 0;
    const most = isUpTo && (effect === 'create' || effect === 'replace') ? 'up to ' : '';
    return count === 0
      ? []
      : [{ count: `${most}${groupDigits(count)}`, words: effects[effect][1], one: count === 1 }];
  });
  const lines = parts.map(({ count, words, one }, index) =>
    index === 0 ? `${count} ${one ? 'key' : 'keys'} ${words}` : `${count} ${words}`,
  );
  const what = lines.length === 0 ? 'there are no keys' : lines.join(', ');
  return `Dry run on ${session.label}: nothing was changed. In namespace id ${id}: ${what}.`;
}
