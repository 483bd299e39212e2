import type { Platform } from '../http/exchange.ts';

/** The setting that stores the address ranges. */
export const prefixesSetting = 'prefixes';

/** Returns the account's own address ranges, which customers can use as the address of a zone apex (apex proxying). */
export function readPrefixes(platform: Platform): readonly string[] {
  return (platform.registry().settings.read(prefixesSetting) ?? []) as readonly string[];
}

export function setPrefixes(platform: Platform, cidrs: readonly string[]): void {
  platform.registry().settings.write(prefixesSetting, cidrs);
}
