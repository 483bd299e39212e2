import { type Database, immediately, prepared } from '../sqlite.ts';

/** Settings of a sandbox, stored as JSON by name. */
export interface SettingTable {
  /** Returns the value; undefined if no value is stored. */
  read(name: string): unknown;
  /**
   * Returns the values of these names as one string, which changes if any of the values changes. Reading this string is faster than reading
   * the values.
   */
  readText(names: readonly string[]): string;
  /** Stores a value; undefined removes the stored value. */
  write(name: string, value: unknown): void;
  /**
   * Calls `work` with the stored value (undefined if there is none), and stores the result. No other process can write meanwhile: if two
   * processes append to a list at the same time, the list contains both items afterwards. If the result is undefined, removes the value.
   * `work` must not use the registry.
   */
  change(name: string, work: (value: unknown) => unknown): void;
  /**
   * Stores the value unless a value exists, and returns the stored value. The operation is atomic, even if other processes write at the
   * same time.
   */
  writeFirst(name: string, value: unknown): unknown;
  /** Returns all values by name, sorted by name. */
  all(): Readonly<Record<string, unknown>>;
  clear(): void;
}

/** Returns the settings in an open registry. `run` converts a database failure to a Problem. */
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
    readText: (names) =>
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

/**
 * The values of one setting by name, for example by the name of a zone, bucket or worker. A name can equal an inherited JavaScript
 * property, such as `constructor`.
 */
export interface SettingMap<T> {
  read(settings: SettingTable, name: string): T | undefined;
  /**
   * Calls `work` with the value, and stores the result; undefined removes the value. Other processes can change the setting at the same
   * time.
   */
  change(settings: SettingTable, name: string, work: (before: T | undefined) => T | undefined): void;
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
