/** Many texts: how many, and the first twenty. */
export interface Sample {
  readonly count: number;
  readonly first: readonly string[];
}

/** A sample that grows. */
export class Samples implements Sample {
  readonly first: string[] = [];
  count = 0;

  add(text: string): void {
    this.count++;
    if (this.first.length < 20) this.first.push(text);
  }
}
