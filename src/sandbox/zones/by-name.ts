/** Records by their names, so that those that may stand in the way of another are found in a zone of any size. */
export class ByName<Record extends { readonly name: string }> {
  readonly #records = new Map<string, Set<Record>>();

  constructor(records: Iterable<Record>) {
    for (const record of records) this.add(record);
  }

  add(record: Record): void {
    const beside = this.#records.get(record.name);
    if (beside === undefined) this.#records.set(record.name, new Set([record]));
    else beside.add(record);
  }

  /** Takes away a record that was added: that object. */
  delete(record: Record): void {
    this.#records.get(record.name)?.delete(record);
  }

  at(name: string): Record[] {
    return [...(this.#records.get(name) ?? [])];
  }
}
