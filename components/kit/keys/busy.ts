/** The running work of a pane. A write continues when the user leaves the pane. */
export interface Busy {
  readonly kind: 'reading' | 'starting' | 'writing';
  /** A description for the header: "looking up". */
  readonly words: string;
}

/** Returns why a press has no effect while a form waits for work, as a sentence without its full stop. */
export function waitReason({ words }: Pick<Busy, 'words'>): string {
  return `Wait: ${words}. Press Esc to stop waiting`;
}

/** Returns the message printed after the console has exited during a write; undefined for other work. */
export function interruptedWriteNotice(work: Busy): string | undefined {
  if (work.kind !== 'writing') return undefined;
  return `Interrupted while ${work.words}: the request was sent, and may have been carried out.`;
}

/**
 * Returns the name of a run; `count` is the number of the run in its pane. A new read replaces a running read with the same words. Writes
 * and starts have unique names, so no other run aborts them or drops their results.
 */
export function runName({ kind, words }: Busy, count: number): string {
  return kind === 'reading' ? words : `${words} ${count}`;
}

export const reading: Busy = { kind: 'reading', words: 'reading' };
export const starting: Busy = { kind: 'starting', words: 'starting' };
export const saving: Busy = { kind: 'writing', words: 'saving' };
export const deleting: Busy = { kind: 'writing', words: 'deleting' };
