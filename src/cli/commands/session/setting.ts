import * as settings from '../../../services/session/settings.ts';
import { tableLines } from '../../../text/table.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { GlobalFlags } from '../../parsing/flags.ts';
import { refuseReadOnly } from '../../read-only.ts';
import type * as declared from './declarations.ts';

/** An asterisk before the name marks a setting that the user has set. */
const columns = [{ heading: '  SETTING' }, { heading: 'VALUE' }, { heading: 'ABOUT' }] as const;

export const listCommand = command<typeof declared.settingList>({
  async run({ world, output }) {
    const rows = settings.listSettings(world);
    if (output.json) return void (await output.answerJson(rows));
    const cells = rows.map(({ name, value, set, values, about }) => [
      `${set ? '*' : ' '} ${name}`,
      value,
      `${about} (${values.join(', ')})`,
    ]);
    await output.listing(`${tableLines(columns, cells).join('\n')}\n`);
    return undefined;
  },
});

export const getCommand = command<typeof declared.settingGet>({
  async run({ world, output }, { args }) {
    const { name, value } = settings.findSetting(world, args.NAME);
    await output.result(value, { name, value });
  },
});

export const setCommand = command<typeof declared.settingSet>({
  async run(context, { args, flags }) {
    const { world, output } = context;
    settings.checkSetting(args.NAME, args.VALUE);
    await confirmLowering(context, 'setting set', { name: args.NAME, value: args.VALUE, flags });
    const before = settings.findSetting(world, args.NAME).value;
    await settings.setSetting(world, args.NAME, args.VALUE);
    const { name, value } = settings.findSetting(world, args.NAME);
    const covered =
      name === 'read-only' && value === 'production'
        ? " Sessions that act on a platform's production data are read-only; the sandbox, local data and preview namespaces can be changed."
        : '';
    await output.result(`Set ${name} to ${value}.${covered}`, { name, value, before });
  },
});

interface Lowering {
  readonly name: string;
  readonly value: string;
  readonly flags: GlobalFlags;
}

/** Asks for confirmation before a change that turns off the protection of data. Read-only mode rejects such a change. */
async function confirmLowering(
  { world, ask }: Context,
  words: string,
  { name, value, flags }: Lowering,
): Promise<void> {
  const setting = settings.findSetting(world, name);
  const lost = settings.findLoss(setting.name, setting.value, value);
  if (lost === undefined) return;
  refuseReadOnly(words, flags, world);
  await ask.confirm(`Turn ${setting.name} off? ${lost}`, lost);
}

export const unsetCommand = command<typeof declared.settingUnset>({
  async run(context, { args, flags }) {
    const { world, output } = context;
    const first = settings.defaultValue(args.NAME);
    await confirmLowering(context, 'setting unset', { name: args.NAME, value: first, flags });
    const before = settings.findSetting(world, args.NAME).value;
    await settings.unsetSetting(world, args.NAME);
    const { name, value } = settings.findSetting(world, args.NAME);
    await output.result(`Unset ${name}: the value is now ${value}.`, { name, value, before });
  },
});
