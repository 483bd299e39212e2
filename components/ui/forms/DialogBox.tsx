import { Box } from 'ink';
import { useMemo, useRef } from 'react';
import { measureCharacter } from '../../../src/text/width.ts';
import { dangerStyles, hasRule } from '../../kit/danger.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import type { Danger, Situation } from '../../kit/keys/shortcut.ts';
import type { Region, Surface } from '../../kit/surface.ts';
import type { Role } from '../../kit/theme.ts';
import { type ConsoleParts, ConsoleProvider, useConsole } from '../../kit/use-console.ts';
import { ProblemBox, problemHeight, problemText } from '../frame/ProblemBox.tsx';
import { wholeRegion } from '../layout/layout.ts';
import { countsFit, Panel, titleFits } from '../layout/Panel.tsx';
import { Confirm, confirmHeight } from './Confirm.tsx';
import type { Dialog } from './dialog.ts';
import { FilterLine } from './FilterLine.tsx';
import { FormBox, formHeight } from './FormBox.tsx';
import { layOutForm } from './form-layout.ts';
import { type FormEvent, focusedField, formTitle, skippedField } from './form-state.ts';
import { MenuBox, menuHeight } from './Menu.tsx';
import type { ListNames } from './use-list-names.ts';

interface DialogBoxProps<C> {
  readonly dialog: Dialog<C> | undefined;
  /** The running work of the pane. */
  readonly busy?: Busy | undefined;
  readonly place: DialogPlace;
  readonly active: boolean;
  /** Handles the events of a form. Only panes with forms need this and `save`. */
  onForm?(event: FormEvent): void;
  /** Handles the text of the input line. Only panes with an input line need this and `onApply`. */
  onFilter?(text: string): void;
  /** A note next to the input line. */
  readonly note?: { readonly text: string; readonly role: Role } | undefined;
  /** Called for Enter in the input line. */
  onApply?(): void;
  save?(): void;
  /** The names in the list behind a form, for completion. */
  readonly names?: ListNames | undefined;
  perform(command: C): void;
  close(): void;
}

/** The position and size of a dialog at the bottom of the screen. */
export interface DialogPlace {
  /**
   * Whether the dialog has borders and the full width, below the pane and its previews. Otherwise the dialog takes the pane's last rows.
   */
  readonly isBelow: boolean;
  /** Number of rows of the content. */
  readonly height: number;
  /** Number of rows that the dialog takes from the body. */
  readonly rows: number;
  /** The region of the dialog's content. */
  readonly region: Region;
}

/** Number of rows of the upper and the lower border together. */
const borderRows = 2;

/** Minimum number of rows of the pane above a dialog. With fewer rows, the dialog takes the whole body. */
const minPaneRows = 3;

/** Returns the position and size of a dialog in a body of `body` rows. */
export function placeDialog(
  dialog: Dialog<unknown> | undefined,
  { screen, region, redact }: Pick<ConsoleParts, 'screen' | 'region' | 'redact'>,
  body: number,
): DialogPlace {
  const whole = wholeRegion(screen);
  if (!whole.isFramed || dialog === undefined || isInputLine(dialog)) {
    const rows = dialogHeight(dialog, { columns: region.columns, redact }, body);
    return { isBelow: false, height: rows, rows, region };
  }
  const room = body - minPaneRows - borderRows;
  const wanted = framedHeight(dialog, whole, { redact, room });
  const isCovering = wanted > room;
  const height = isCovering ? body : wanted;
  return { isBelow: true, height, rows: height + borderRows, region: whole };
}

function isInputLine({ kind }: Dialog<unknown>): boolean {
  return kind === 'filter' || kind === 'prefix' || kind === 'contains' || kind === 'search';
}

/**
 * Returns the number of content rows that a dialog with borders needs. All unchanged lines in a diff are counted only if the total does not
 * exceed `room`. A title that fits is in the upper border.
 */
function framedHeight(
  dialog: Dialog<unknown>,
  whole: Region,
  { redact, room }: Pick<Surface, 'redact'> & { readonly room: number },
): number {
  const surface = { columns: whole.columns, redact };
  const titled = isTitled(dialog, whole, redact);
  switch (dialog.kind) {
    case 'form':
      return formHeight(dialog.form, surface) - ruleRows(dialog.form.danger) - (titled ? 1 : 0);
    case 'confirm':
      return confirmHeight(dialog.question, surface, { room, isFramed: true, isTitled: titled });
    case 'menu':
      return menuHeight(dialog, surface, titled, room);
    case 'problem':
      return problemText(dialog.problem, whole.columns).length;
    default:
      return 1;
  }
}

/** Returns the number of a form's rule rows (0 or 1) that the border replaces. */
function ruleRows(danger: Danger = 'change'): number {
  return hasRule(danger, true) ? 0 : 1;
}

/** Returns whether the upper border contains the dialog's title. */
function isTitled(dialog: Dialog<unknown>, whole: Region, redact: Surface['redact']): boolean {
  const title = redact(borderTitle(dialog));
  const words = borderWords(dialog);
  const isWhole = words === '' || countsFit(whole.width, title, words);
  const room = words === '' ? 0 : measureCharacter(words) + 2;
  return whole.isFramed && title !== '' && isWhole && titleFits(whole.width - room, title);
}

/** Returns the title for the upper border of a dialog, not yet redacted. */
function borderTitle(dialog: Dialog<unknown>): string {
  if (dialog.kind === 'form') return formTitle(dialog.form);
  if (dialog.kind === 'confirm') return dialog.question.question;
  return dialog.kind === 'menu' ? dialog.title : '';
}

/** Returns the words of the rule that the border of a question replaces; empty for other dialogs. */
function borderWords(dialog: Dialog<unknown>): string {
  if (dialog.kind !== 'confirm' || hasRule(dialog.question.danger, true)) return '';
  return dangerStyles[dialog.question.danger].rule.words;
}

/** Returns the number of rows that a dialog without borders takes from a body of `body` rows. */
function dialogHeight(dialog: Dialog<unknown> | undefined, surface: Surface, body: number): number {
  switch (dialog?.kind) {
    case 'filter':
    case 'prefix':
    case 'contains':
    case 'search':
      return 1;
    case 'form':
      return Math.min(body, formHeight(dialog.form, surface));
    case 'confirm':
      return Math.min(body, confirmHeight(dialog.question, surface, { room: body }));
    case 'menu':
      return body;
    case 'problem':
      return problemHeight(dialog.problem, surface.columns, body);
    case undefined:
      return 0;
  }
}

/** Returns the mode of an open dialog, whose shortcuts are active; the pane's mode if no dialog is open. */
export function dialogMode(dialog: Dialog<unknown> | undefined, pane: Mode): Mode {
  if (dialog?.kind === 'form' && focusedField(dialog.form)?.choices !== undefined) return 'choice';
  return dialog?.kind ?? pane;
}

/** Returns the part of the situation that depends on the dialog, for the footer. */
export function dialogSituation(
  dialog: Dialog<unknown> | undefined,
): Pick<Situation, 'asks' | 'cancel' | 'danger' | 'submit' | 'oneField' | 'completes'> {
  if (dialog?.kind === 'confirm') return { asks: true, danger: dialog.question.danger };
  if (dialog?.kind === 'menu') return { asks: isAsking(dialog), cancel: dialog.cancel };
  if (dialog?.kind !== 'form') return { asks: isAsking(dialog) };
  const { form } = dialog;
  return {
    asks: isAsking(dialog),
    danger: form.danger,
    submit: skippedField(form) === undefined ? form.submit : 'next',
    oneField: form.fields.length === 1,
    completes: focusedField(form)?.completes !== undefined,
  };
}

/** Returns whether a dialog asks the user before a change or a loss. */
function isAsking(dialog: Dialog<unknown> | undefined): boolean {
  if (dialog?.kind === 'form') return dialog.form.danger !== undefined;
  return dialog?.kind === 'confirm' || (dialog?.kind === 'menu' && dialog.asks === true);
}

/** Returns the border style for a failure, or for a dialog with a danger; undefined for other dialogs. */
function borderRole(dialog: Dialog<unknown>): Role | undefined {
  if (dialog.kind === 'problem') return 'fault';
  const danger =
    dialog.kind === 'confirm'
      ? dialog.question.danger
      : dialog.kind === 'form'
        ? dialog.form.danger
        : undefined;
  return danger && dangerStyles[danger].title;
}

/** Returns the position of the focused field of a form in a border that contains the title; empty if all fields are visible. */
function formPosition(
  dialog: Dialog<unknown>,
  { region, height }: DialogPlace,
  redact: Surface['redact'],
): string {
  if (dialog.kind !== 'form') return '';
  const surface = { columns: region.columns, redact };
  return layOutForm(dialog.form, surface, { height, isFramed: true, isTitled: true }).position;
}

/** Draws the dialog of a pane at its position. */
export function DialogBox<C>(props: DialogBoxProps<C>) {
  const { dialog, place } = props;
  const parts = useConsole();
  const { region } = place;
  const serial = useDialogSerial(dialog);
  const own = useMemo(() => ({ ...parts, region, columns: region.columns }), [parts, region]);
  if (dialog === undefined) return null;
  if (!place.isBelow) {
    return (
      <Box flexDirection="column" height={place.height} flexShrink={0} overflow="hidden">
        <DialogContent key={serial} {...props} dialog={dialog} isTitled={false} />
      </Box>
    );
  }
  const titled = isTitled(dialog, region, parts.redact);
  const title = titled ? parts.redact(borderTitle(dialog)) : borderWords(dialog);
  const counts = titled ? borderWords(dialog) || formPosition(dialog, place, parts.redact) : '';
  return (
    <ConsoleProvider value={own}>
      <Panel
        region={region}
        title={title}
        counts={counts}
        height={place.height}
        focused
        border={borderRole(dialog)}
      >
        <DialogContent key={serial} {...props} dialog={dialog} isTitled={titled} />
      </Panel>
    </ConsoleProvider>
  );
}

/** Returns a number that changes with each question or menu, so that each question or menu starts with fresh state. */
function useDialogSerial(dialog: Dialog<unknown> | undefined): number {
  const asked = dialog?.kind === 'confirm' || dialog?.kind === 'menu' ? dialog : undefined;
  const last = useRef({ asked, serial: 0 });
  if (last.current.asked !== asked) last.current = { asked, serial: last.current.serial + 1 };
  return last.current.serial;
}

type DialogContentProps<C> = DialogBoxProps<C> & {
  readonly dialog: Dialog<C>;
  /** Whether the border around the content contains the title. */
  readonly isTitled: boolean;
};

function DialogContent<C>({ dialog, place, active, isTitled: titled, ...on }: DialogContentProps<C>) {
  const { height } = place;
  const frame = { isFramed: place.isBelow, isTitled: titled };
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
          {...frame}
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
          {...frame}
          question={dialog.question}
          confirm={() => on.perform(dialog.command)}
          cancel={on.close}
        />
      );
    case 'menu':
      return (
        <MenuBox
          {...common}
          isTitled={titled}
          title={dialog.title}
          {...(dialog.lines && { lines: dialog.lines })}
          items={dialog.items.map(({ command, ...item }) => ({ ...item, value: command }))}
          initial={dialog.initial}
          asks={dialog.asks}
          afterCancel={dialog.afterCancel}
          onChoose={(command) => on.perform(command)}
          onCancel={on.close}
        />
      );
    case 'problem':
      return (
        <ProblemBox
          {...common}
          isFramed={place.isBelow}
          problem={dialog.problem}
          retry={() => on.perform(dialog.command)}
          dismiss={on.close}
        />
      );
  }
}
