import type { FoldAction } from '../../kit/keys/folding.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import type { ShownBytes } from './bytes-view.ts';
import { isJsonSource, type JsonSource, unfoldedAt } from './json-source.ts';
import { type Folded, foldAll, pathOfLine, toggleFold } from './json-tree.ts';
import type { ViewController } from './view-controller.ts';

/** Unfolds the JSON containers that hide an offset; returns the same content if no container hides the offset. */
export function revealJson<C extends ShownBytes<unknown, string>>(
  content: C,
  lines: object,
  offset: number,
): C {
  if (!isJsonSource(lines)) return content;
  const folded = unfoldedAt(lines, content.folded, offset);
  return folded === content.folded ? content : { ...content, folded };
}

/** Returns the actions on the JSON tree of a viewer. */
export function jsonActions<Content extends ShownBytes<unknown, string>>(
  view: ViewController<Content>,
  parts: PaneParts,
  refold: (content: Content, folded: Folded | undefined) => Content,
): Readonly<Record<FoldAction, () => void>> {
  const onTree = (run: (source: JsonSource, line: number) => void) => () => {
    const { shown, line } = view.selection;
    if (isJsonSource(shown)) run(shown, shown.lineAt(line?.segment ?? 0));
    else parts.notify('Only JSON can be folded. Press Tab to switch to the JSON view.', 'refused');
  };
  const show = (folded: Folded | undefined, line: number) =>
    view.showContentAt(refold(view.content, folded), (lines) => ({
      segment: isJsonSource(lines) ? lines.findSegment(line) : 0,
      line: 0,
    }));
  return {
    fold: onTree(({ tree }, line) => {
      const { folded } = view.content;
      const toggled = toggleFold(tree, folded?.length === tree.starts.length ? folded : undefined, line);
      if (toggled !== undefined) show(toggled.folded, toggled.line);
    }),
    'fold-all': onTree(({ tree }, line) => show(foldAll(tree), line)),
    'unfold-all': onTree((_, line) => show(undefined, line)),
    'copy-path': onTree(({ tree }, line) => {
      const path = pathOfLine(tree, line);
      parts.notify(parts.copy(Buffer.from(path), 'the path'));
    }),
  };
}
