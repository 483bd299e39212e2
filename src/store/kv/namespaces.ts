import type { SQLOutputValue } from 'node:sqlite';
import type { Namespace } from '../../model/kv/kv.ts';
import type { World } from '../../world.ts';
import { type Database, immediately } from '../sqlite.ts';

/** The result of a change: the namespace as it is now, or the other one that has its title (or the given id) already. */
export interface NamespaceChange {
  readonly outcome: 'done' | 'duplicate';
  readonly namespace: Namespace;
}

/** The namespaces of a sandbox's account. Titles are unique. Their data lie in the key-value store. */
export interface NamespaceTable {
  /** All of them, in the order of their creation. */
  list(): Namespace[];
  find(id: string): Namespace | undefined;
  /** Makes one, with a new id unless one is given. */
  create(title: string, id?: string): NamespaceChange;
  /** Undefined when there is none with this id. */
  rename(id: string, title: string): NamespaceChange | undefined;
  /** Whether there was one. Its data are not touched. */
  remove(id: string): boolean;
}

/** The namespaces in an open registry. `run` turns a failure of the database into a Problem. */
export function namespaceTable(
  database: Database,
  run: <T>(work: () => T) => T,
  { random, now }: Pick<World, 'random' | 'now'>,
): NamespaceTable {
  const one = (sql: string, ...values: (string | number)[]) => {
    const row = database.prepare(sql).get(...values);
    return row === undefined ? undefined : namespaceOf(row);
  };
  const byId = (id: string) => one('SELECT id, title FROM namespace WHERE id = ?', id);
  const byTitle = (title: string) => one('SELECT id, title FROM namespace WHERE title = ?', title);
  const changing = <T>(work: () => T) => run(() => immediately(database, work));
  return {
    list: () =>
      run(() => database.prepare('SELECT id, title FROM namespace ORDER BY position').all().map(namespaceOf)),
    find: (id) => run(() => byId(id)),
    create: (title, id = Buffer.from(random(16)).toString('hex')) =>
      changing(() => {
        const other = byTitle(title) ?? byId(id);
        if (other !== undefined) return { outcome: 'duplicate', namespace: other };
        const insert = database.prepare('INSERT INTO namespace (id, title, created_at) VALUES (?, ?, ?)');
        insert.run(id, title, now());
        return { outcome: 'done', namespace: { id, title } };
      }),
    rename: (id, title) =>
      changing(() => {
        const other = byTitle(title);
        if (byId(id) === undefined) return undefined;
        if (other !== undefined && other.id !== id) return { outcome: 'duplicate', namespace: other };
        database.prepare('UPDATE namespace SET title = ? WHERE id = ?').run(title, id);
        return { outcome: 'done', namespace: { id, title } };
      }),
    remove: (id) => run(() => database.prepare('DELETE FROM namespace WHERE id = ?').run(id).changes === 1),
  };
}

function namespaceOf(row: Record<string, SQLOutputValue>): Namespace {
  return { id: String(row['id']), title: String(row['title']) };
}
