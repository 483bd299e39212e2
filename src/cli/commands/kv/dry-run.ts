import { type EffectName, keyEffects } from '../../../model/kv/bulk.ts';
import { escapeText } from '../../../text/escape.ts';
import { groupDigits } from '../../../text/size.ts';
import { describeHash } from '../../confirmed-deletion.ts';
import { jsonText } from '../../output/output.ts';
import type { ProgressDisplay } from '../../output/progress.ts';
import type { Context } from '../../parsing/command.ts';
import type { OpenNamespace } from './namespace-choice.ts';

/** The mark on a key's line, for each effect. */
const marks: Readonly<Record<EffectName, string>> = {
  create: '+',
  change: '~',
  replace: '~',
  delete: '-',
  same: '=',
  skip: '=',
  conflict: '!',
  missing: '!',
};

/** The label of each effect in the summary, in the order of the summary. */
const labels: Readonly<Record<EffectName, string>> = { ...keyEffects, missing: 'not found' };

interface PreviewOptions {
  readonly namespace: OpenNamespace;
  /** Whether to list the effect on each key. */
  readonly verbose: boolean;
  readonly display: ProgressDisplay;
  /** Whether the numbers of created and replaced keys are maximums: no values are read, so keys whose values the platform lost count too. */
  readonly isUpTo?: boolean;
  /** The hash that confirms the deletion. */
  readonly hash?: string | undefined;
}

type Groups = AsyncIterable<readonly { readonly key: string; readonly effect: EffectName }[]>;

/** Reports what a command would do: counts and, with `verbose`, each key. Returns exit code 0. */
export async function answerPreview(
  context: Context,
  groups: Groups,
  { namespace, verbose, display, isUpTo = false, hash }: PreviewOptions,
): Promise<number> {
  const { output } = context;
  const counts = new Map<EffectName, number>();
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

function formatLine(effect: EffectName, key: string): string {
  return `${marks[effect]} ${escapeText(key)}`;
}

function summary(
  counts: ReadonlyMap<EffectName, number>,
  { id, session }: OpenNamespace,
  isUpTo: boolean,
): string {
  const parts = (Object.keys(labels) as EffectName[]).flatMap((effect) => {
    const count = counts.get(effect) ?? 0;
    const upTo = isUpTo && (effect === 'create' || effect === 'replace') ? 'up to ' : '';
    return count === 0
      ? []
      : [{ count: `${upTo}${groupDigits(count)}`, words: labels[effect], one: count === 1 }];
  });
  const lines = parts.map(({ count, words, one }, index) =>
    index === 0 ? `${count} ${one ? 'key' : 'keys'} ${words}` : `${count} ${words}`,
  );
  const what = lines.length === 0 ? 'there are no keys' : lines.join(', ');
  return `Dry run on ${session.label}: nothing was changed. In namespace id ${id}: ${what}.`;
}
