import type { SQLOutputValue } from 'node:sqlite';
import type { Namespace } from '../../model/kv/kv.ts';
import type { World } from '../../world.ts';
import { type Database, immediately, prepared } from '../sqlite.ts';

/** SQL that adds the jurisdictions of namespaces to the registry's layout. */
export const namespaceJurisdictionSchema = 'ALTER TABLE namespace ADD COLUMN jurisdiction TEXT;';

/** The result of a change: the changed namespace, or the existing namespace with the same title or id. */
export interface NamespaceChange {
  readonly outcome: 'done' | 'duplicate';
  readonly namespace: Namespace;
}

/** The namespaces of one account of a sandbox. Titles are unique. The data of the namespaces is in the key-value store. */
export interface NamespaceTable {
  /** Returns all namespaces, in order of creation. */
  list(): Namespace[];
  find(id: string): Namespace | undefined;
  /**
   * Returns a namespace and the value of a sandbox setting (undefined if none is stored). A single query reads both, because each read of a
   * key needs both, and a second transaction would take as long as the first.
   */
  findWithSetting(id: string, setting: string): { namespace: Namespace; setting: unknown } | undefined;
  /** Creates a namespace with the given id (default: a new id). No other account may have a namespace with this id. */
  create(title: string, id?: string, jurisdiction?: string): NamespaceChange;
  /** Renames a namespace; undefined if no namespace has this id. */
  rename(id: string, title: string): NamespaceChange | undefined;
  /** Removes a namespace, but not its data. Returns whether the namespace existed. */
  remove(id: string): boolean;
}

/**
 * Returns the namespaces of an account (`''`: the sandbox's own account) in an open registry. `run` converts a database failure to a
 * Problem.
 */
export function namespaceTable(
  database: Database,
  run: <T>(work: () => T) => T,
  { random, now }: Pick<World, 'random' | 'now'>,
  account = '',
): NamespaceTable {
  const one = (sql: string, ...values: (string | number)[]) => {
    const row = prepared(database, sql).get(...values);
    return row === undefined ? undefined : toNamespace(row);
  };
  const rows = 'SELECT id, title, jurisdiction FROM namespace';
  const rowsWithSetting =
    'SELECT id, title, jurisdiction, (SELECT value FROM setting WHERE name = ?) AS value FROM namespace';
  const byId = (id: string) => one(`${rows} WHERE id = ? AND account = ?`, id, account);
  const byTitle = (title: string) => one(`${rows} WHERE title = ? AND account = ?`, title, account);
  const changing = <T>(work: () => T) => run(() => immediately(database, work));
  return {
    list: () =>
      run(() => {
        const all = database.prepare(`${rows} WHERE account = ? ORDER BY position`).all(account);
        return all.map(toNamespace);
      }),
    find: (id) => run(() => byId(id)),
    findWithSetting: (id, setting) =>
      run(() => {
        const sql = `${rowsWithSetting} WHERE id = ? AND account = ?`;
        const row = prepared(database, sql).get(setting, id, account);
        if (row === undefined) return undefined;
        const { value } = row;
        return {
          namespace: toNamespace(row),
          setting: value === null ? undefined : JSON.parse(String(value)),
        };
      }),
    create: (title, id = Buffer.from(random(16)).toString('hex'), jurisdiction = undefined) =>
      changing(() => {
        const other = byTitle(title) ?? one(`${rows} WHERE id = ?`, id);
        if (other !== undefined) return { outcome: 'duplicate', namespace: other };
        const columns = 'id, title, created_at, account, jurisdiction';
        database
          .prepare(`INSERT INTO namespace (${columns}) VALUES (?, ?, ?, ?, ?)`)
          .run(id, title, now(), account, jurisdiction ?? null);
        return { outcome: 'done', namespace: toNamespace({ id, title, jurisdiction: jurisdiction ?? null }) };
      }),
    rename: (id, title) =>
      changing(() => {
        const other = byTitle(title);
        const before = byId(id);
        if (before === undefined) return undefined;
        if (other !== undefined && other.id !== id) return { outcome: 'duplicate', namespace: other };
        database.prepare('UPDATE namespace SET title = ? WHERE id = ?').run(title, id);
        return { outcome: 'done', namespace: { ...before, title } };
      }),
    remove: (id) =>
      run(() => {
        const removal = database.prepare('DELETE FROM namespace WHERE id = ? AND account = ?');
        return removal.run(id, account).changes === 1;
      }),
  };
}

function toNamespace(row: Record<string, SQLOutputValue>): Namespace {
  const { id, title, jurisdiction } = row;
  return {
    id: String(id),
    title: String(title),
    ...(jurisdiction !== null && { jurisdiction: String(jurisdiction) }),
  };
}
