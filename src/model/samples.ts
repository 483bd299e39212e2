/** The number of many strings, and the first twenty different ones. */
export interface Sample {
  readonly count: number;
  readonly first: readonly string[];
  /** The number of strings beyond the first; absent if it is the rest of the count. */
  readonly others?: number;
}

/** A sample that grows. */
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
