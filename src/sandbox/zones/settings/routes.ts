import { wireTime } from '../../../model/hostnames/state.ts';
import { isObject } from '../../../model/json-object.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { clockNow } from '../../http/clock.ts';
import { codes } from '../../http/codes.ts';
import { type Exchange, type Platform, param, readJson, refusal } from '../../http/exchange.ts';
import { changeKept, developmentLeft, isAtLeast, keptOf, planOf } from '../kept.ts';
import { zoneOf } from '../routes.ts';
import { type ZoneSetting, zoneSettings } from './catalogue.ts';

/** The provider's error codes for zone settings, from public reports. */
const settingCodes = { itemsMissing: 1004, unknown: 1006, invalid: 1007, notEditable: 1057 } as const;
const bodyLimit = 128 * 1024;

interface Change {
  readonly id: string;
  readonly value: unknown;
}

export function listSettings(exchange: Exchange): Answer {
  const { id } = zoneOf(exchange);
  return ok(Object.keys(zoneSettings).map((name) => shapeOf(exchange.platform, id, name)));
}

export function getSetting(exchange: Exchange): Answer {
  const { id } = zoneOf(exchange);
  const name = param(exchange, 'setting');
  settingOf(name);
  return ok(shapeOf(exchange.platform, id, name));
}

export async function changeSetting(exchange: Exchange): Promise<Answer> {
  const name = param(exchange, 'setting');
  const { field = 'value' } = settingOf(name);
  const body = await readJson(exchange, 'the setting', bodyLimit);
  const [shown] = write(exchange, [{ id: name, value: isObject(body) ? body[field] : undefined }]);
  return ok(shown);
}

/** `{items: [{id, value}]}`: changes all or none. Returns the changed settings. */
export async function changeSettings(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'the settings', bodyLimit);
  const items = isObject(body) ? body['items'] : undefined;
  if (!Array.isArray(items)) throw refusal(400, settingCodes.itemsMissing, "Missing 'items'");
  const changes = items.map((item: unknown): Change => {
    const { id, value, enabled } = isObject(item) ? item : {};
    if (typeof id !== 'string') throw refusal(400, codes.requestInvalid, 'an item has no id');
    return { id, value: settingOf(id).field === 'enabled' ? (enabled ?? value) : value };
  });
  return ok(write(exchange, changes));
}

function write(exchange: Exchange, changes: readonly Change[]): object[] {
  const { platform } = exchange;
  const { id } = zoneOf(exchange);
  const plan = planOf(platform, id);
  for (const { id: name, value } of changes) {
    const setting = settingOf(name);
    if (!isEditable(setting, plan)) {
      throw refusal(400, settingCodes.notEditable, `${name} cannot be modified for this zone`);
    }
    if (!setting.takes(value))
      throw refusal(400, settingCodes.invalid, `Invalid value for zone setting ${name}`);
  }
  const modifiedAt = clockNow(platform);
  const changed = Object.fromEntries(changes.map(({ id: name, value }) => [name, { value, modifiedAt }]));
  changeKept(platform, id, (kept) => ({ ...kept, settings: { ...kept.settings, ...changed } }));
  return changes.map(({ id: name }) => shapeOf(platform, id, name));
}

function settingOf(name: string): ZoneSetting {
  const found = Object.hasOwn(zoneSettings, name) ? zoneSettings[name] : undefined;
  if (found !== undefined) return found;
  throw refusal(400, settingCodes.unknown, `Unrecognized zone setting name: ${name}`);
}

function isEditable({ from = 'free' }: ZoneSetting, plan: Parameters<typeof isAtLeast>[0]): boolean {
  return from !== 'nobody' && isAtLeast(plan, from);
}

function shapeOf(platform: Platform, zoneId: string, name: string): object {
  const setting = settingOf(name);
  const kept = keptOf(platform, zoneId).settings?.[name];
  const remaining = name === 'development_mode' ? developmentLeft(kept, clockNow(platform)) : undefined;
  const over = remaining === 0 && kept?.value === 'on';
  const value = over ? 'off' : (kept?.value ?? setting.usual);
  if (setting.field !== undefined) return { id: name, [setting.field]: value };
  return {
    id: name,
    value,
    editable: isEditable(setting, planOf(platform, zoneId)),
    modified_on: kept === undefined ? null : wireTime(kept.modifiedAt),
    ...(remaining !== undefined && { time_remaining: remaining }),
  };
}
