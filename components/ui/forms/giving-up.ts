import { awaitedWork, type DialogState } from './dialog-state.ts';
import { shownWrite } from './writes.ts';

interface GiveUpActions {
  dispatch(
    event: { readonly type: 'closed' | 'given-up' } | { readonly type: 'write-behind'; readonly id: number },
  ): void;
  /** Aborts the work that was started last. */
  abort(): void;
}

/** Stops waiting for the work of the open form: a write continues behind it. Without such work, closes the dialog. */
export function giveUp<C>(state: DialogState<C>, on: GiveUpActions): void {
  const write = shownWrite(state);
  if (write !== undefined) on.dispatch({ type: 'write-behind', id: write.id });
  else if (awaitedWork(state) === undefined) on.dispatch({ type: 'closed' });
  else {
    on.abort();
    on.dispatch({ type: 'given-up' });
  }
}
