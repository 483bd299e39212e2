/** Many texts: how many, and the first twenty that differ. */
export interface Sample {
  readonly count: number;
  readonly first: readonly string[];
  /** How many of them are none of the first; left out where that is what is left of the count. */
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
