import { checkDatabaseToRead } from './inside.ts';
import { type Database, immediately } from './sqlite.ts';

/** SQL that adds the table with the id of the last load to the registry's layout. */
export const takenSchema = `
  CREATE TABLE taken (only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL) STRICT;`;

/** Tables that are not copied, because they describe only their own file. */
const own = ['taken', 'dns_revision'];

/** Returns the id of the last load. */
export function takenId(database: Database): string | undefined {
  const row = database.prepare('SELECT id FROM taken').get();
  return row === undefined ? undefined : String(row['id']);
}

/**
 * Replaces the rows of all tables with the rows from another registry that has the same layout, and records the id of the load, in one
 * transaction.
 */
export function takeTables(database: Database, file: string, id: string): void {
  attachRegistry(database, file, () => {
    for (const table of listTables(database).filter((name) => !own.includes(name)))
      database.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM other.${table}`);
    database.prepare('INSERT OR REPLACE INTO taken (only, id) VALUES (1, ?)').run(id);
  });
}

/** Copies the account, credentials and own zone from another registry. */
export function copyTenant(database: Database, file: string): void {
  attachRegistry(database, file, () => {
    for (const [table, which] of [
      ['account', ''],
      ['zone', ' WHERE id = (SELECT zone_id FROM other.account)'],
    ])
      database.exec(
        `DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM other.${table}${which}`,
      );
  });
}

function attachRegistry(database: Database, file: string, work: () => void): void {
  checkDatabaseToRead(file);
  database.prepare('ATTACH ? AS other').run(file);
  try {
    immediately(database, work);
  } finally {
    database.exec('DETACH other');
  }
}

function listTables(database: Database): string[] {
  const sql = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  return database
    .prepare(sql)
    .all()
    .map(({ name }) => String(name));
}
