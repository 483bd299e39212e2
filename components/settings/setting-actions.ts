import { asProblem } from '../../src/model/problem.ts';
import type { EffectiveSetting } from '../../src/services/session/effective-settings.ts';
import { checkSetting, findLoss, setSetting, unsetSetting } from '../../src/services/session/settings.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { saving } from '../kit/keys/busy.ts';
import { moveShortcuts, noSelection, whileBusy } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type ActionResult, formDialog, type PaneOutcome, type Work } from '../ui/forms/dialog.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { editableName } from '../ui/forms/typed-name.ts';

/** The input of the actions: the selected setting, and the parts of the pane. */
interface Here {
  readonly setting: EffectiveSetting | undefined;
  readonly parts: PaneParts;
}

/** The actions on the user's settings. */
export const settingActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'change',
    about: 'Choose a value for the setting',
    unless: cannotChange,
    run: change,
  },
  {
    does: 'edit',
    press: ['e'],
    label: 'edit',
    about: 'Change the value of the setting',
    unless: cannotChange,
    quiet: true,
    run: change,
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'reset',
    about: 'Reset the setting to its default, and delete it from the settings file',
    unless: cannotChange,
    run: ({ setting, parts }) => setting && reset(setting, parts),
  },
  ...filterShortcuts,
  { does: 'refresh', press: ['r'], label: 'reload', about: 'Reload the list and keep the selection' },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy value',
    about: 'Copy the value of the setting',
    unless: noSelection,
    run: ({ setting, parts }) => setting && { notice: parts.copy(Buffer.from(setting.value), 'the value') },
  },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, then go back',
  },
  ...moveShortcuts,
];

/**
 * Returns why the setting cannot be changed now; false if it can be changed. A read-only session can change settings, but cannot turn off a
 * setting that protects data.
 */
function cannotChange(situation: Situation): string | false {
  return noSelection(situation) || whileBusy(situation);
}

/** Returns the form for the value of a setting. */
function change({ setting, parts }: Here): ActionResult {
  if (setting === undefined) return undefined;
  const { name, values, stored, about, isFree } = setting;
  const field = { name: 'value', label: 'Value', value: editableName(stored) };
  const choices = values.map((value) => ({ value, label: value }));
  const form = openForm(
    `The setting ${name}`,
    [isFree ? { ...field, note: values.join(', or ') } : { ...field, choices }],
    [`${about}.`, ...overrideLines(setting)],
  );
  const dialog = formDialog(form, ({ value = '' }) => {
    try {
      checkSetting(name, value);
    } catch (error) {
      return { errors: { value: asProblem(error).message } };
    }
    return { work: guarded(setting, value, storing(setting, value, parts), parts) };
  });
  return { dialog };
}

function overrideLines({ overriddenBy }: EffectiveSetting): string[] {
  return overriddenBy === undefined ? [] : [`${overriddenBy} overrides the setting in this console.`];
}

function reset(setting: EffectiveSetting, parts: PaneParts): ActionResult {
  if (!setting.set) return { refusal: `${setting.name} already has its default value.` };
  return guarded(setting, setting.byDefault, storing(setting, undefined, parts), parts);
}

/**
 * If `value` turns off a setting that protects data, returns work that asks for confirmation, or refuses the change in a read-only session.
 * Otherwise returns `command`.
 */
function guarded(setting: EffectiveSetting, value: string, command: Work, { session }: PaneParts): Work {
  const loss = findLoss(setting.name, setting.stored, value);
  if (loss === undefined) return command;
  return {
    busy: { kind: 'reading', words: 'checking' },
    async run() {
      if (session.readOnly)
        return { refusal: `This session is read-only: ${setting.name} stays ${setting.stored}.` };
      const question = {
        question: `Turn ${setting.name} off?`,
        lost: [loss],
        danger: 'change' as const,
        yes: 'turn it off',
      };
      return { dialog: { kind: 'confirm', question, command } };
    },
  };
}

function storing(setting: EffectiveSetting, value: string | undefined, { world }: PaneParts): Work {
  const { name, byDefault } = setting;
  return {
    busy: saving,
    row: name,
    async run(): Promise<PaneOutcome> {
      await (value === undefined ? unsetSetting(world, name) : setSetting(world, name, value));
      const words =
        value === undefined ? `Reset ${name} to ${byDefault}, its default.` : `Set ${name} to ${value}.`;
      return {
        notice: `${words}${setting.isReadAtStart ? ' Restart the console to apply it.' : ''}`,
        outdated: true,
      };
    },
  };
}
