import type { SettingTable } from './settings.ts';

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
