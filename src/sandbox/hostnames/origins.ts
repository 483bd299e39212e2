import type { Platform } from '../http/exchange.ts';

const setting = 'origins';

/** Loopback ports that stand behind origins, by the origin's name. */
export function originsOf(platform: Platform): Readonly<Record<string, number>> {
  return (platform.registry().settings.read(setting) ?? {}) as Record<string, number>;
}

/** Sets the loopback port behind an origin's name; undefined removes it. */
export function setOrigin(platform: Platform, name: string, port: number | undefined): void {
  const { [name]: _old, ...others } = originsOf(platform);
  platform.registry().settings.write(setting, port === undefined ? others : { ...others, [name]: port });
}
