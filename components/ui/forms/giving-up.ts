import { stoppedNotice } from '../../kit/keys/busy.ts';
import { awaitedWork, type DialogState, findForm } from './dialog-state.ts';

interface GiveUpActions {
  dispatch(event: { readonly type: 'closed' | 'given-up' }): void;
  /** Aborts the work that was started last. */
  abort(): void;
  refuse(words: string): void;
}

/** Stops waiting for running work and shows what a write may have done. Without such work, closes the dialog. */
export function giveUp<C>(state: DialogState<C>, on: GiveUpActions): void {
  const work = awaitedWork(state);
  if (work === undefined) {
    on.dispatch({ type: 'closed' });
    return;
  }
  on.abort();
  on.dispatch({ type: 'given-up' });
  if (work.kind === 'writing') on.refuse(stoppedNotice(work, findForm(state.dialog) !== undefined));
}
