/** The first twenty distinct strings, and the number of all strings. */
export interface Sample {
  readonly count: number;
  readonly first: readonly string[];
  /** The number of strings that are not listed (default: the rest of the count). */
  readonly others?: number;
}

/** A sample that is built while strings are added. */
export class Samples implements Sample {
  readonly first: string[] = [];
  count = 0;
  others = 0;

  add(text: string): void {
    this.count++;
    if (this.first.includes(text)) return;
    if (this.first.length < 20) this.first.push(text);
    else this.others++;
  }
}
