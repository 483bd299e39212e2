import { allPanes, type Places, type StackEntry } from './places.ts';
import { PaneWithParts } from './registry.tsx';

interface PanesProps {
  readonly places: Places;
  /** Closed panes that are kept because their writes have not finished. */
  readonly stillWriting: readonly StackEntry[];
  /** Number of the connection; panes of an earlier connection are discarded. */
  readonly generation: number;
  /** Whether an overlay covers all panes. */
  readonly covered: boolean;
}

/** Renders all panes, open or kept. Only the pane on the screen draws. */
export function Panes({ places, stillWriting, generation, covered }: PanesProps) {
  const hidden = stillWriting.map((standing) => ({ ...standing, isOnScreen: false }));
  return [...allPanes(places), ...hidden].map(({ serial, opened, isOnScreen }) => (
    <PaneWithParts
      key={`${generation} ${serial}`}
      serial={serial}
      opened={opened}
      visible={!covered && isOnScreen}
    />
  ));
}
