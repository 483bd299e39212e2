import { type Database, immediately, prepared } from './sqlite.ts';

/** SQL that adds the table of additional accounts to the registry's layout. Existing data belongs to the sandbox's own account. */
export const accountSchema = `
  CREATE TABLE further_account (
    position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL
  ) STRICT;
  ALTER TABLE zone ADD COLUMN account TEXT NOT NULL DEFAULT '';
  ALTER TABLE namespace RENAME TO namespace_before;
  CREATE TABLE namespace (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, created_at INTEGER NOT NULL, account TEXT NOT NULL DEFAULT '',
    UNIQUE (account, title)
  ) STRICT;
  INSERT INTO namespace (position, id, title, created_at)
    SELECT position, id, title, created_at FROM namespace_before;
  DROP TABLE namespace_before;`;

/** An account of a sandbox. `id` is 32 lower-case hex digits. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
}

/** The accounts of a sandbox, except its own account, which is created with the sandbox. */
export interface AccountTable {
  /** Returns all accounts, in order of creation. */
  list(): AccountRow[];
  find(id: string): AccountRow | undefined;
  /** Creates an account, or renames an existing one. */
  put(account: AccountRow): void;
  remove(id: string): void;
}

/** Returns the table of additional accounts in an open registry. `run` converts a database failure to a Problem. */
export function accountTable(database: Database, run: <T>(work: () => T) => T): AccountTable {
  const rows = (where: string, ...values: string[]): AccountRow[] =>
    run(() =>
      prepared(database, `SELECT id, name FROM further_account ${where}`)
        .all(...values)
        .map(({ id, name }) => ({ id: String(id), name: String(name) })),
    );
  const change = (sql: string, ...values: string[]) =>
    run(() => immediately(database, () => void database.prepare(sql).run(...values)));
  return {
    list: () => rows('ORDER BY position'),
    find: (id) => rows('WHERE id = ?', id)[0],
    put: ({ id, name }) =>
      change(
        'INSERT INTO further_account (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
        id,
        name,
      ),
    remove: (id) => change('DELETE FROM further_account WHERE id = ?', id),
  };
}
