import * as settings from '../../../services/session/settings.ts';
import { tableLines } from '../../../text/table.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';

/** A star stands before what is set. */
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
  async run({ world, output }, { args }) {
    await settings.setSetting(world, args.NAME, args.VALUE);
    const { name, value } = settings.findSetting(world, args.NAME);
    await output.result(`Set ${name} to ${value}.`, { name, value });
  },
});

export const unsetCommand = command<typeof declared.settingUnset>({
  async run({ world, output }, { args }) {
    await settings.unsetSetting(world, args.NAME);
    const { name, value } = settings.findSetting(world, args.NAME);
    await output.result(`Unset ${name}: it is ${value}.`, { name, value });
  },
});
