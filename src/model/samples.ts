/** The number of strings, and the first twenty distinct ones. */
export interface Sample {
  readonly count: number;
  readonly first: readonly string[];
  /** The number of strings beyond the listed ones (default: the rest of the count). */
  readonly others?: number;
}

/** A sample that collects strings. */
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
