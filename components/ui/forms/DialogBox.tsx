import { Box } from 'ink';
import type { Busy } from '../../kit/keys/busy.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import type { Situation } from '../../kit/keys/shortcut.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Role } from '../../kit/theme.ts';
import { ProblemBox, problemHeight } from '../frame/ProblemBox.tsx';
import { Confirm, confirmHeight } from './Confirm.tsx';
import type { Dialog } from './dialog.ts';
import { FilterLine } from './FilterLine.tsx';
import { FormBox, formHeight } from './FormBox.tsx';
import { type FormEvent, focusedField, skippedField } from './form-state.ts';
import { MenuBox } from './Menu.tsx';
import type { ListNames } from './use-list-names.ts';

interface DialogBoxProps<C> {
  readonly dialog: Dialog<C> | undefined;
  /** The running work of the pane. */
  readonly busy?: Busy | undefined;
  readonly height: number;
  readonly active: boolean;
  /** Only for panes with forms, like `save`. */
  onForm?(event: FormEvent): void;
  /** Only for panes with a filter, like `onApply`. */
  onFilter?(text: string): void;
  /** A note next to the input line. */
  readonly note?: { readonly text: string; readonly role: Role } | undefined;
  /** Called for Enter in the input line. */
  onApply?(): void;
  save?(): void;
  /** The names of the list behind a form. */
  readonly names?: ListNames | undefined;
  perform(command: C): void;
  close(): void;
}

/** Returns the rows that a dialog occupies at the bottom of a body of this height. */
export function dialogHeight(dialog: Dialog<unknown> | undefined, surface: Surface, body: number): number {
  switch (dialog?.kind) {
    case 'filter':
    case 'prefix':
    case 'contains':
    case 'search':
      return 1;
    case 'form':
      return Math.min(body, formHeight(dialog.form, surface));
    case 'confirm':
      return Math.min(body, confirmHeight(dialog.question, surface));
    case 'menu':
      return body;
    case 'problem':
      return problemHeight(dialog.problem, surface.columns, body);
    case undefined:
      return 0;
  }
}

/** Returns the mode whose shortcuts are active while a dialog is open over a pane. */
export function dialogMode(dialog: Dialog<unknown> | undefined, pane: Mode): Mode {
  if (dialog?.kind === 'form' && focusedField(dialog.form)?.choices !== undefined) return 'choice';
  return dialog?.kind ?? pane;
}

/** Returns the part of the situation that depends on the dialog, for the footer. */
export function dialogSituation(
  dialog: Dialog<unknown> | undefined,
): Pick<Situation, 'asks' | 'submit' | 'oneField' | 'completes'> {
  if (dialog?.kind !== 'form') return { asks: isAsking(dialog) };
  const { form } = dialog;
  return {
    asks: isAsking(dialog),
    submit: skippedField(form) === undefined ? form.submit : 'next',
    oneField: form.fields.length === 1,
    completes: focusedField(form)?.completes !== undefined,
  };
}

/** Whether a dialog asks before something is lost. */
function isAsking(dialog: Dialog<unknown> | undefined): boolean {
  if (dialog?.kind === 'form') return dialog.form.asks === true;
  return dialog?.kind === 'confirm' || (dialog?.kind === 'menu' && dialog.asks === true);
}

/** Draws the dialog of a pane at the bottom of its body. */
export function DialogBox<C>(props: DialogBoxProps<C>) {
  const { dialog, height } = props;
  if (dialog === undefined) return null;
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      <DialogContent {...props} dialog={dialog} />
    </Box>
  );
}

function DialogContent<C>({ dialog, height, active, ...on }: DialogBoxProps<C> & { dialog: Dialog<C> }) {
  const common = { active, height };
  switch (dialog.kind) {
    case 'filter':
    case 'prefix':
    case 'contains':
    case 'search':
      return (
        <FilterLine
          {...common}
          mode={dialog.kind}
          text={dialog.text}
          note={on.note}
          onChange={(text) => on.onFilter?.(text)}
          onApply={() => on.onApply?.()}
          onClear={on.close}
        />
      );
    case 'form':
      return (
        <FormBox
          {...common}
          form={dialog.form}
          names={on.names}
          busy={on.busy}
          dispatch={(event) => on.onForm?.(event)}
          save={() => on.save?.()}
          cancel={on.close}
        />
      );
    case 'confirm':
      return (
        <Confirm
          {...common}
          question={dialog.question}
          confirm={() => on.perform(dialog.command)}
          cancel={on.close}
        />
      );
    case 'menu':
      return (
        <MenuBox
          {...common}
          title={dialog.title}
          {...(dialog.lines && { lines: dialog.lines })}
          items={dialog.items.map(({ label, command }) => ({ label, value: command }))}
          initial={dialog.initial}
          asks={dialog.asks}
          onChoose={(command) => on.perform(command)}
          onCancel={on.close}
        />
      );
    case 'problem':
      return (
        <ProblemBox
          {...common}
          problem={dialog.problem}
          retry={() => on.perform(dialog.command)}
          dismiss={on.close}
        />
      );
  }
}
