import type { Platform } from '../http/exchange.ts';

/** The setting that keeps the address ranges. */
export const prefixesSetting = 'prefixes';

/** Address ranges of the account's own, to which customers can point the top of a zone (apex proxying). */
export function prefixesOf(platform: Platform): readonly string[] {
  return (platform.registry().settings.read(prefixesSetting) ?? []) as readonly string[];
}

export function setPrefixes(platform: Platform, cidrs: readonly string[]): void {
  platform.registry().settings.write(prefixesSetting, cidrs);
}
