/** Work that a pane has under way. The reader may leave it, unless it writes: then the pane waits. */
export interface Busy {
  readonly kind: 'reading' | 'starting' | 'writing';
  /** For the header: "looking up". */
  readonly words: string;
}

/** Why a press does nothing while work is waited for. Without its full stop. */
export function waitWords({ words }: Pick<Busy, 'words'>): string {
  return `Wait: ${words}. Esc stops waiting`;
}

/** A notice that nobody waits any more for what was being written. Where a form is left, r is typed into it. */
export function stoppedWords({ words }: Busy, isForm: boolean): string {
  const way = isForm ? 'Esc, r reloads.' : 'r reloads.';
  return `Gave up ${words}: it was sent, and may have been carried out. ${way}`;
}

/** Printed after the console if its end cuts a write short; undefined for other work. */
export function cutShortWords(work: Busy): string | undefined {
  if (work.kind !== 'writing') return undefined;
  return `Interrupted while ${work.words}: it was sent, and may have been carried out.`;
}

/**
 * The name of a run, `count` being its number in its pane. A reading replaces one with the same words; writes and starts have
 * unique names, so that no other work aborts them and drops their answers.
 */
export function runName({ kind, words }: Busy, count: number): string {
  return kind === 'reading' ? words : `${words} ${count}`;
}

export const reading: Busy = { kind: 'reading', words: 'reading' };
export const starting: Busy = { kind: 'starting', words: 'starting' };
export const saving: Busy = { kind: 'writing', words: 'saving' };
export const deleting: Busy = { kind: 'writing', words: 'deleting' };
