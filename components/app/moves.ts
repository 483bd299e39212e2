import type { Dispatch } from 'react';
import type { ConsoleParts } from '../kit/use-console.ts';
import type { ConsoleEvent, ConsoleState } from './state.ts';

type Moves = Pick<
  ConsoleParts,
  | 'open'
  | 'become'
  | 'back'
  | 'turnTo'
  | 'goTo'
  | 'clearPending'
  | 'step'
  | 'showHelp'
  | 'showPalette'
  | 'chooseTarget'
  | 'chooseActing'
>;

/** Returns the functions that switch views or open overlays. `refuse` shows why a switch is impossible. */
export function createMoves(
  { history }: Pick<ConsoleState, 'history'>,
  dispatch: Dispatch<ConsoleEvent>,
  refuse: (reason: string) => void,
): Moves {
  return {
    open: (pane, from) => dispatch({ type: 'opened', pane, from }),
    become: (pane, from) => dispatch({ type: 'became', pane, from }),
    back: (from) => dispatch({ type: 'back', from }),
    turnTo: (pane) => dispatch({ type: 'turned', pane }),
    goTo(place, pending) {
      if (typeof place !== 'string') dispatch({ type: 'went', panes: place, pending });
      else dispatch({ type: 'covered', overlay: { kind: 'going', link: place, pending } });
    },
    clearPending: () => dispatch({ type: 'pressed' }),
    step(to) {
      const { [to === 'back' ? 'past' : 'future']: views } = history;
      if (views.length > 0) dispatch({ type: 'stepped', to });
      else refuse(`No ${to === 'back' ? 'earlier' : 'later'} view.`);
    },
    showHelp: (mode, situation, perform) =>
      dispatch({ type: 'covered', overlay: { kind: 'help', mode, situation, perform } }),
    showPalette: (mode, situation, perform) =>
      dispatch({ type: 'covered', overlay: { kind: 'palette', mode, situation, perform } }),
    chooseActing: () => dispatch({ type: 'covered', overlay: { kind: 'acting' } }),
    chooseTarget: () => dispatch({ type: 'covered', overlay: { kind: 'targets' } }),
  };
}
