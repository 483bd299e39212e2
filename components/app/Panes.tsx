import { allPanes, type Places } from './places.ts';
import { PaneWithParts } from './registry.tsx';

interface PanesProps {
  readonly places: Places;
  /** Counts the connections: panes of an earlier one are discarded. */
  readonly generation: number;
  /** Whether an overlay covers all panes. */
  readonly covered: boolean;
}

/** Renders the open panes; only the one on the screen draws. */
export function Panes({ places, generation, covered }: PanesProps) {
  return allPanes(places).map(({ serial, opened, isOnScreen }) => (
    <PaneWithParts
      key={`${generation} ${serial}`}
      serial={serial}
      opened={opened}
      visible={!covered && isOnScreen}
    />
  ));
}
