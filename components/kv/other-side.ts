import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Target } from '../../src/model/target.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { OtherSide } from '../kit/open-pane.ts';

/** Ends the title of a namespace of trials. */
export const previewSuffix = '_preview';

/** A namespace as the other side of another one. */
export function otherSide(compared: {
  readonly namespace: Namespace;
  readonly other: Namespace;
  readonly target?: Target | undefined;
}): OtherSide {
  const { namespace, other, target } = compared;
  return { namespace: other, words: wordsOf(namespace, other, target), ...(target && { target }) };
}

/** The words for a namespace of the same id on a target. */
const counterparts: Readonly<Record<Target, string>> = {
  production: 'production: the namespace of this id',
  preview: 'preview: the namespace of this id',
  local: 'local data',
};

function wordsOf(of: Namespace, { id, title }: Namespace, target: Target | undefined): string {
  if (target !== undefined && id === of.id) return counterparts[target];
  const isPreview = title === `${of.title}${previewSuffix}`;
  return `${isPreview ? 'its preview namespace' : 'the namespace'} ${escapeText(title)}`;
}
