import type { SQLOutputValue } from 'node:sqlite';
import type { SeedDns } from '../../model/sandbox/seed.ts';
import { type Database, immediately } from '../sqlite.ts';

/**
 * A DNS entry for a name outside of the sandbox's zones: records of one type, or a failure. `type` is a record type or the name of a
 * failure. The contents of a failure are the record types that it affects; if empty, all types are affected.
 */
export type DnsEntry = Required<SeedDns>;

/** DNS entries outside of the sandbox's zones, for customers' domains. */
export interface DnsEntryTable {
  /** Returns all entries, sorted by name and type. */
  list(): DnsEntry[];
  /** Sets either all entries or, if one fails, none. Each entry replaces the existing entries with the same name and type. */
  set(entries: readonly DnsEntry[]): void;
  /** Removes the entries of a name (of one type, or of all types), and returns the number of removed entries. */
  unset(name: string, type?: string): number;
  clear(): void;
}

/** Returns the DNS entries in an open registry. `run` converts a database failure to a Problem. */
export function dnsEntryTable(database: Database, run: <T>(work: () => T) => T): DnsEntryTable {
  return {
    list: () => run(() => database.prepare('SELECT * FROM dns_entry ORDER BY name, type').all().map(toEntry)),
    set: (entries) =>
      run(() =>
        immediately(database, () => {
          const put = database.prepare(
            'INSERT OR REPLACE INTO dns_entry (name, type, ttl, contents) VALUES (?, ?, ?, ?)',
          );
          for (const { name, type, ttl, contents } of entries)
            put.run(name, type, ttl, JSON.stringify(contents));
        }),
      ),
    unset: (name, type) =>
      run(() => {
        const ofType = type === undefined ? '' : ' AND type = ?';
        const remove = database.prepare(`DELETE FROM dns_entry WHERE name = ?${ofType}`);
        return Number(remove.run(name, ...(type === undefined ? [] : [type])).changes);
      }),
    clear: () =>
      run(() => {
        database.exec('DELETE FROM dns_entry');
      }),
  };
}

function toEntry(row: Record<string, SQLOutputValue>): DnsEntry {
  return {
    name: String(row['name']),
    type: String(row['type']),
    ttl: Number(row['ttl']),
    contents: JSON.parse(String(row['contents'])) as string[],
  };
}
