import { join } from 'node:path';
import { SyntaxFault, type ValuePath } from '../../src/config/position.ts';
import { parseToml } from '../../src/config/toml.ts';
import { readTrusted } from '../../src/files/trust-problems.ts';
import { asProblem, Problem } from '../../src/model/problem.ts';
import type { UserFolders } from '../../src/world.ts';
import { listShortcuts } from '../kit/keys/find-shortcut.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { modeTitles } from '../kit/keys/modes.ts';
import { formatPress, isPress, type Press } from '../kit/keys/presses.ts';
import type { ConsoleKeymap } from '../kit/use-console.ts';
import { keymap } from './keymap.ts';

const modes = Object.keys(keymap) as Mode[];

/** Actions whose presses cannot be changed, because a list of choices or a field handles these presses. */
const fixedActions: ReadonlySet<string> = new Set(['choose', 'answer', 'line']);

/** The names of all actions whose presses can be changed. */
export const actionNames: readonly string[] = [
  ...new Set(modes.flatMap((mode) => keymap[mode].map(({ does }): string => does))),
].filter((name) => !fixedActions.has(name));

/**
 * Returns the keymap with the presses from a file. A line of the file is, for example, `remove = "x"` or `remove = ["x", "delete"]`, with
 * an action name from docs/keys.md. A press applies in all panes with the action. Throws a Problem with the line number for an unknown
 * action or press, and for a press that is assigned to two actions in one pane.
 */
export function parseOwnKeys(text: string, path: string): ConsoleKeymap {
  const { data, locate } = parseKeysFile(text, path);
  const refusal = (action: string, what: string) =>
    new Problem('invalid-input', `${formatPosition(path, locate([action])?.line)}: ${what}`);
  const own = new Map<string, readonly Press[]>();
  for (const [action, given] of Object.entries(data)) {
    const presses: readonly unknown[] = Array.isArray(given) ? given : [given];
    const fault = actionFault(action) ?? pressFault(action, presses);
    if (fault !== undefined) throw refusal(action, fault);
    own.set(
      action,
      presses.filter((press) => typeof press === 'string'),
    );
  }
  const changed = withPresses(own);
  const conflict = findConflict(changed, own);
  if (conflict !== undefined) throw refusal(conflict.action, conflict.words);
  return changed;
}

function parseKeysFile(
  text: string,
  path: string,
): { data: object; locate(at: ValuePath): { line: number } | undefined } {
  try {
    const { data, locate } = parseToml(text);
    return { data: Object(data), locate };
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    throw new Problem('invalid-input', `${formatPosition(path, error.position.line)}: ${error.message}`);
  }
}

function formatPosition(path: string, line: number | undefined): string {
  return line === undefined ? path : `${path}, line ${line}`;
}

function actionFault(action: string): string | undefined {
  if (fixedActions.has(action)) return `the keys of ${action} cannot be changed`;
  return actionNames.includes(action)
    ? undefined
    : `unknown action ${JSON.stringify(action)}; docs/keys.md lists all actions`;
}

function pressFault(action: string, presses: readonly unknown[]): string | undefined {
  if (presses.length === 0) return `${action} needs a key`;
  const wrong = presses.find((press) => typeof press !== 'string' || !isPress(press));
  if (wrong !== undefined) {
    return `${JSON.stringify(wrong)} is not a key: use a character, ctrl+x, alt+x, or a name such as enter or pagedown`;
  }
  const everywhere = keymap.always.some(({ does }) => does === action);
  const other = everywhere && presses.find((press) => !/^ctrl\+[a-z]$/.test(String(press)));
  return other
    ? `${action} also works while you type, so its key must be ctrl and a letter, not ${JSON.stringify(other)}`
    : undefined;
}

function withPresses(own: ReadonlyMap<string, readonly Press[]>): ConsoleKeymap {
  const rows = modes.map((mode) => [
    mode,
    keymap[mode].map((shortcut) => ({ ...shortcut, press: own.get(shortcut.does) ?? shortcut.press })),
  ]);
  return Object.fromEntries(rows);
}

/** Finds a press that the file assigns to two actions in one pane; undefined if there is no conflict. */
function findConflict(
  changed: ConsoleKeymap,
  own: ReadonlyMap<string, readonly Press[]>,
): { readonly action: string; readonly words: string } | undefined {
  for (const mode of modes) {
    const rows = mode === 'always' ? changed.always : [...listShortcuts(mode, changed), ...changed.always];
    for (const { does, press, about } of rows) {
      if (!own.has(does)) continue;
      const twice = press.find((one) => rows.some((row) => row.does !== does && row.press.includes(one)));
      const other = rows.find((row) => row.does !== does && row.press.includes(twice ?? ''));
      if (twice === undefined || other === undefined) continue;
      const words = `${formatPress(twice)} is assigned to two actions in ${modeTitles[mode]}: "${about}" and "${other.about}" (${other.does})`;
      return { action: does, words };
    }
  }
  return undefined;
}

/** Returns the path of the file with the user's own keys. */
export function keysPath({ config }: Pick<UserFolders, 'config'>): string {
  return join(config, 'keys.toml');
}

/**
 * Returns the keymap with the user's own keys. If the file is invalid or cannot be read, returns the default keymap and passes the reason
 * to `note`, so that a faulty file does not make the console unusable.
 */
export async function readKeys(
  folders: Pick<UserFolders, 'config'>,
  note: (message: string) => void,
): Promise<ConsoleKeymap> {
  const path = keysPath(folders);
  try {
    const bytes = readTrusted('config-invalid', 'settings', path);
    return bytes === undefined ? keymap : parseOwnKeys(bytes.toString('utf8'), path);
  } catch (error) {
    note(`Using the default keys. ${asProblem(error).message}`);
    return keymap;
  }
}
