import * as settings from '../../../services/session/settings.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';

export const listCommand = command<typeof declared.settingList>({
  async run({ world, output }) {
    const rows = settings.listSettings(world);
    if (output.json) return void (await output.answerJson(rows));
    for (const { name, value, set, values, about } of rows) {
      await output.line(
        `${set ? '*' : ' '} ${name.padEnd(14)} ${value.padEnd(14)} ${about} (${values.join(', ')})`,
      );
    }
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
