import { type Database, immediately, prepared } from '../sqlite.ts';

/** Settings of a sandbox, as JSON under a name. */
export interface SettingTable {
  /** The value, or undefined when nothing was kept. */
  read(name: string): unknown;
  /** All that is kept under these names as one text, which differs where one of the values does: reading them takes longer. */
  textOf(names: readonly string[]): string;
  /** Undefined forgets it. */
  write(name: string, value: unknown): void;
  /**
   * Writes what `work` makes of the value that is there (undefined: none), while nobody else can write: what two processes add to one
   * list at once stands in it, both. Undefined forgets it. `work` must not ask the registry.
   */
  change(name: string, work: (value: unknown) => unknown): void;
  /** Keeps the value where there is none yet, also against other processes, and gives the one that is there. */
  writeFirst(name: string, value: unknown): unknown;
  /** All of them by name, in the order of their names. */
  all(): Readonly<Record<string, unknown>>;
  clear(): void;
}

/** The settings in an open registry. `run` turns a failure of the database into a Problem. */
export function settingTable(database: Database, run: <T>(work: () => T) => T): SettingTable {
  const read = (name: string): unknown => {
    const row = prepared(database, 'SELECT value FROM setting WHERE name = ?').get(name);
    return row === undefined ? undefined : JSON.parse(String(row['value']));
  };
  const write = (name: string, value: unknown): void => {
    if (value === undefined) {
      database.prepare('DELETE FROM setting WHERE name = ?').run(name);
      return;
    }
    const put = database.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)');
    put.run(name, JSON.stringify(value));
  };
  return {
    read: (name) => run(() => read(name)),
    textOf: (names) =>
      run(() => {
        const named = names.map(() => '?').join(', ');
        const query = `SELECT name, value FROM setting WHERE name IN (${named}) ORDER BY name`;
        return prepared(database, query)
          .all(...names)
          .map(({ name, value }) => `${name} ${value}`)
          .join('\n');
      }),
    write: (name, value) => run(() => write(name, value)),
    change: (name, work) =>
      run(() => {
        const change = () => write(name, work(read(name)));
        return database.isTransaction ? change() : immediately(database, change);
      }),
    writeFirst: (name, value) =>
      run(() => {
        const put = database.prepare('INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)');
        put.run(name, JSON.stringify(value));
        return read(name);
      }),
    all: () =>
      run(() => {
        const rows = database.prepare('SELECT name, value FROM setting ORDER BY name').all();
        return Object.fromEntries(rows.map(({ name, value }) => [String(name), JSON.parse(String(value))]));
      }),
    clear: () =>
      run(() => {
        database.exec('DELETE FROM setting');
      }),
  };
}

type All<T> = Readonly<Record<string, T>>;

/** Values by name in one setting: of zones, buckets, workers. A name may be one that every object has, as `constructor`. */
export interface SettingMap<T> {
  read(settings: SettingTable, name: string): T | undefined;
  /** Keeps what `work` makes of the value, also against other processes; undefined forgets it. */
  change(settings: SettingTable, name: string, work: (kept: T | undefined) => T | undefined): void;
}

export function settingMap<T>(setting: string): SettingMap<T> {
  const find = (all: All<T>, name: string) => (Object.hasOwn(all, name) ? all[name] : undefined);
  return {
    read: (settings, name) => find((settings.read(setting) ?? {}) as All<T>, name),
    change(settings, name, work) {
      settings.change(setting, (value) => {
        const all = (value ?? {}) as All<T>;
        const { [name]: _, ...others } = all;
        const changed = work(find(all, name));
        const left = changed === undefined ? others : { ...others, [name]: changed };
        return Object.keys(left).length === 0 ? undefined : left;
      });
    },
  };
}
