import { useMemo, useRef, useState } from 'react';
import { useConsole } from '../kit/use-console.ts';
import { useMouse } from '../ui/input/use-mouse.ts';
import {
  computeLayout,
  hasPreview,
  type Layout,
  mainShare,
  parentDepth,
  shareForColumn,
} from '../ui/layout/layout.ts';
import { PlacesPanel } from './PlacesPanel.tsx';
import { allPanes, currentStack, type Places } from './places.ts';
import { PaneWithParts } from './registry.tsx';

interface PanesProps {
  readonly places: Places;
  /** Counts the connections: panes of an earlier one are discarded. */
  readonly generation: number;
  /** Whether an overlay covers all panes. */
  readonly covered: boolean;
  readonly preview: boolean;
}

/**
 * Draws the open panes, each in its region: the one on the screen and, if there is room, the parent list, or the places panel
 * next to the first pane of an area.
 */
export function Panes({ places, generation, covered, preview }: PanesProps) {
  const { screen } = useConsole();
  const [share, setShare] = useState(mainShare);
  const stack = currentStack(places);
  const opened = (stack.at(-1) ?? stack[0]).opened;
  const parent = stack[parentDepth(stack.map((standing) => standing.opened))];
  const leadsOn = parent === undefined && opened.pane !== 'home';
  const has = { preview: preview && hasPreview(opened), parent: parent !== undefined || leadsOn };
  const layout = useMemo(
    () => computeLayout(screen, { preview: has.preview, parent: has.parent }, share),
    [screen, has.preview, has.parent, share],
  );
  useDivider(layout, setShare, !covered);
  const panes = allPanes(places).map((standing) => {
    const isParent = !covered && standing.serial === parent?.serial && layout.parent !== undefined;
    return (
      <PaneWithParts
        key={`${generation} ${standing.serial}`}
        serial={standing.serial}
        opened={standing.opened}
        visible={!covered && standing.isOnScreen}
        region={isParent ? (layout.parent ?? layout.main) : layout.main}
        beside={layout.preview}
      />
    );
  });
  return (
    <>
      {panes}
      {leadsOn && !covered && layout.parent !== undefined && <PlacesPanel region={layout.parent} />}
    </>
  );
}

/** Lets the user drag the line between a list and its preview. */
function useDivider(layout: Layout, draw: (share: number) => void, isActive: boolean): void {
  const isHeld = useRef(false);
  useMouse(isActive && layout.preview !== undefined, ({ kind, column }) => {
    const line = layout.preview?.left ?? 0;
    if (kind === 'press') isHeld.current = column === line || column === line - 1;
    else if (kind === 'release') isHeld.current = false;
    else if (kind === 'drag' && isHeld.current) draw(shareForColumn(column, layout));
  });
}
