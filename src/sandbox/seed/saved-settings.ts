import type { Seed } from '../../model/sandbox/seed.ts';
import { isOfFurther } from '../../store/of-account.ts';
import { type Platform, rootPlatform } from '../http/exchange.ts';

// Stored settings contain the ids of the sandbox's own account and zone, which differ in each sandbox. A snapshot contains these
// placeholders instead.
const ownAccount = '$own-account';
const ownZone = '$own-zone';

/** Settings that this module does not save: settings that are saved with zones, and credentials that expire. */
const savedElsewhere: readonly string[] = ['zone_settings', 'temporary_credentials'];

/** Returns the settings of an account for a snapshot. For the sandbox's own account, the result includes the settings of the sandbox. */
export function readSavedSettings(platform: Platform): Readonly<Record<string, unknown>> {
  const all = Object.entries(platform.registry().settings.all());
  const saved = all.filter(([name]) => !isOfFurther(name) && !savedElsewhere.includes(name));
  const { account, zone } = readOwnIds(platform);
  return replaceTexts(Object.fromEntries(saved), [
    [account, ownAccount],
    [zone, ownZone],
  ]);
}

/** Writes the settings in a seed to the platform's account. */
export function writeSavedSettings(platform: Platform, { settings: saved = {} }: Seed): void {
  const { settings } = platform.registry();
  const { account, zone } = readOwnIds(platform);
  const own = replaceTexts(saved, [
    [ownAccount, account],
    [ownZone, zone],
  ]);
  for (const [name, setting] of Object.entries(own)) settings.write(name, setting);
}

function readOwnIds(platform: Platform): { readonly account: string; readonly zone: string } {
  const registry = rootPlatform(platform).registry();
  return { account: registry.account().id, zone: registry.zoneId() };
}

/**
 * Replaces ids everywhere: in lists, field names and token resources. Ids are long and random, so every match is an id.
 */
function replaceTexts(
  settings: Readonly<Record<string, unknown>>,
  words: readonly (readonly [string, string])[],
): Readonly<Record<string, unknown>> {
  let text = JSON.stringify(settings);
  for (const [from, to] of words) text = text.replaceAll(from, () => to);
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
