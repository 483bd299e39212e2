import { wireTime } from '../../../model/hostnames/state.ts';
import { isObject } from '../../../model/json-object.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { clockNow } from '../../http/clock.ts';
import { codes } from '../../http/codes.ts';
import { type Exchange, type Platform, param, readJson, refusal } from '../../http/exchange.ts';
import {
  developmentSecondsLeft,
  isPlanAtLeast,
  readZoneChanges,
  readZonePlan,
  updateZoneChanges,
} from '../zone-changes.ts';
import { requireZone } from '../zones.ts';
import { type ZoneSetting, zoneSettings } from './catalogue.ts';

/** The provider's error codes for zone settings, from public reports. */
const settingCodes = { itemsMissing: 1004, unknown: 1006, invalid: 1007, notEditable: 1057 } as const;
const bodyLimit = 128 * 1024;

interface Change {
  readonly id: string;
  readonly value: unknown;
}

export function listSettings(exchange: Exchange): Answer {
  const { id } = requireZone(exchange);
  return ok(Object.keys(zoneSettings).map((name) => formatSetting(exchange.platform, id, name)));
}

export function getSetting(exchange: Exchange): Answer {
  const { id } = requireZone(exchange);
  const name = param(exchange, 'setting');
  requireSetting(name);
  return ok(formatSetting(exchange.platform, id, name));
}

export async function changeSetting(exchange: Exchange): Promise<Answer> {
  const name = param(exchange, 'setting');
  const { field = 'value' } = requireSetting(name);
  const body = await readJson(exchange, 'the setting', bodyLimit);
  const [shown] = writeSettings(exchange, [{ id: name, value: isObject(body) ? body[field] : undefined }]);
  return ok(shown);
}

/** Changes either all settings in the body (`{items: [{id, value}]}`) or, if one is invalid, none. Returns the changed settings. */
export async function changeSettings(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'the settings', bodyLimit);
  const items = isObject(body) ? body['items'] : undefined;
  if (!Array.isArray(items)) throw refusal(400, settingCodes.itemsMissing, "Missing 'items'");
  const changes = items.map((item: unknown): Change => {
    const { id, value, enabled } = isObject(item) ? item : {};
    if (typeof id !== 'string') throw refusal(400, codes.requestInvalid, 'an item has no id');
    return { id, value: requireSetting(id).field === 'enabled' ? (enabled ?? value) : value };
  });
  return ok(writeSettings(exchange, changes));
}

function writeSettings(exchange: Exchange, changes: readonly Change[]): object[] {
  const { platform } = exchange;
  const { id } = requireZone(exchange);
  const plan = readZonePlan(platform, id);
  for (const { id: name, value } of changes) {
    const setting = requireSetting(name);
    if (!isEditable(setting, plan)) {
      throw refusal(400, settingCodes.notEditable, `${name} cannot be modified for this zone`);
    }
    if (!setting.accepts(value))
      throw refusal(400, settingCodes.invalid, `Invalid value for zone setting ${name}`);
  }
  const modifiedAt = clockNow(platform);
  const changed = Object.fromEntries(changes.map(({ id: name, value }) => [name, { value, modifiedAt }]));
  updateZoneChanges(platform, id, (before) => ({ ...before, settings: { ...before.settings, ...changed } }));
  return changes.map(({ id: name }) => formatSetting(platform, id, name));
}

function requireSetting(name: string): ZoneSetting {
  const found = Object.hasOwn(zoneSettings, name) ? zoneSettings[name] : undefined;
  if (found !== undefined) return found;
  throw refusal(400, settingCodes.unknown, `Unrecognized zone setting name: ${name}`);
}

function isEditable({ from = 'free' }: ZoneSetting, plan: Parameters<typeof isPlanAtLeast>[0]): boolean {
  return from !== 'nobody' && isPlanAtLeast(plan, from);
}

function formatSetting(platform: Platform, zoneId: string, name: string): object {
  const setting = requireSetting(name);
  const changed = readZoneChanges(platform, zoneId).settings?.[name];
  const remaining =
    name === 'development_mode' ? developmentSecondsLeft(changed, clockNow(platform)) : undefined;
  const over = remaining === 0 && changed?.value === 'on';
  const value = over ? 'off' : (changed?.value ?? setting.defaultValue);
  if (setting.field !== undefined) return { id: name, [setting.field]: value };
  return {
    id: name,
    value,
    editable: isEditable(setting, readZonePlan(platform, zoneId)),
    modified_on: changed === undefined ? null : wireTime(changed.modifiedAt),
    ...(remaining !== undefined && { time_remaining: remaining }),
  };
}
