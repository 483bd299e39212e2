import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { Problem } from '../model/problem.ts';
import type { Database } from './sqlite.ts';

/** The statements of a database in Miniflare's layout, each prepared only once, and functions that check the types of returned values. */
export class Statements {
  readonly database: Database;
  readonly #file: string;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: Database, file: string) {
    this.database = database;
    this.#file = file;
  }

  run(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  /** Returns the blob ids that a statement selects. */
  listBlobIds(sql: string, ...values: SQLInputValue[]): string[] {
    return this.run(sql)
      .all(...values)
      .map((row) => this.text(row['blob_id']));
  }

  /** Returns a value as a string. Throws `store-invalid` if the value is not a string; `number` does the same for numbers. */
  text(value: SQLOutputValue | undefined): string {
    if (typeof value === 'string') return value;
    throw this.#unexpected(value);
  }

  number(value: SQLOutputValue | undefined): number {
    if (typeof value === 'number') return value;
    throw this.#unexpected(value);
  }

  #unexpected(value: SQLOutputValue | undefined): Problem {
    return new Problem(
      'store-invalid',
      `A row of ${this.#file} contains a value of an unexpected type: ${typeof value}.`,
      {
        hint: 'A program other than Miniflare or edgectl wrote the row. Rename the file to start without its data.',
      },
    );
  }
}
