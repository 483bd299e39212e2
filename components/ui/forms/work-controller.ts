import type { Problem } from '../../../src/model/problem.ts';
import { capitalize } from '../../../src/model/sentence.ts';
import { Controller } from '../../kit/controller.ts';
import { type Busy, interruptedWriteNotice, runName } from '../../kit/keys/busy.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { recallPress } from '../../kit/writes.ts';
import { type ActionResult, type Dialog, isWork, type PaneOutcome, type Work } from './dialog.ts';
import { awaitedWork, type DialogEvent, type DialogState, findForm } from './dialog-state.ts';
import { type FormEvent, formValues } from './form-state.ts';
import { shownWrite } from './writes.ts';

/** The result of work in a pane. A dialog in the result starts more work, or a command that only this pane has (`Own`). */
interface Outcome<O, Own> extends Omit<PaneOutcome, 'dialog' | 'next'> {
  readonly dialog?: Dialog<Work<O> | Own> | undefined;
  readonly next?: Work<O> | undefined;
}

type PaneEvent<O, Own> = DialogEvent<Work<O> | Own> | { readonly type: 'closed' };

/**
 * Milliseconds after which the form for a write closes and the write continues in the background. Until then the form stays open, because a
 * quick error would otherwise close and reopen it.
 */
const behindAfterMs = 400;

/** The controller of a pane that runs the work of its actions and shows dialogs, one at a time. The pane can be used while writes run. */
export abstract class WorkController<
  State extends DialogState<Work<O> | Own>,
  Event,
  O extends Outcome<O, Own>,
  Own extends object = never,
> extends Controller<State, Event | PaneEvent<O, Own>> {
  protected readonly parts: PaneParts;
  /** The name of the last started run. */
  #runName = '';
  /** Number of runs so far. */
  #runCount = 0;

  constructor(
    reduce: (state: State, event: Event | PaneEvent<O, Own>) => State,
    first: State,
    parts: PaneParts,
  ) {
    super(reduce, first, parts.notes);
    this.parts = parts;
  }

  readonly ask = (dialog: Dialog<Work<O> | Own>): void => this.dispatch({ type: 'asked', dialog });

  /** Applies the result of an action: starts its work, or shows its outcome. */
  readonly take = (result: ActionResult<O>): void => {
    if (result === undefined) return;
    if (isWork<O>(result)) this.perform(result);
    else {
      if (result.dialog !== undefined) this.ask(result.dialog);
      this.#apply(result);
    }
  };

  /** Runs the command of a dialog or an action. */
  readonly perform = (command: Work<O> | Own): void => {
    if (!isWork<O>(command)) {
      this.runOwn(command);
      return;
    }
    const { busy } = command;
    this.#runCount += 1;
    if (busy.kind === 'writing') {
      this.#write(command, this.#runCount);
      return;
    }
    this.#runName = runName(busy, this.#runCount);
    this.dispatch({ type: 'begun', busy });
    this.run({
      name: this.#runName,
      work: (signal) => command.run(signal),
      done: (outcome) => this.#settle(outcome, busy),
      doneAfterAbort: ({ change }) => change && this.parts.changes.announce(change),
      failed: (problem) => this.fail(problem, command),
    });
  };

  /** Starts a write, during which the pane can be used. The write continues if the pane is closed; closing the console aborts the write. */
  #write(command: Work<O>, id: number): void {
    const { busy, row } = command;
    this.dispatch({ type: 'write-begun', id, busy, row });
    this.#reportWrites();
    const late = setTimeout(() => this.dispatch({ type: 'write-behind', id }), behindAfterMs);
    this.onClose(() => clearTimeout(late));
    this.run({
      name: runName(busy, id),
      cutShort: interruptedWriteNotice(busy),
      work: (signal) => command.run(signal).finally(() => clearTimeout(late)),
      done: (outcome) => {
        this.#hideWrite(id);
        const { dialog, errors } = outcome;
        this.dispatch({ type: 'write-ended', id, dialog, errors });
        this.#reportUnsettled(id, busy);
        this.#apply(outcome, busy);
      },
      doneAfterAbort: ({ change }) => change && this.parts.changes.announce(change),
      failed: (problem) => {
        this.#hideWrite(id);
        this.dispatch({ type: 'write-failed', id, problem, command });
        this.#reportUnsettled(id, busy, problem);
      },
    });
  }

  /** Whether the pane is on the screen. */
  protected get isOnScreen(): boolean {
    return true;
  }

  /** If the pane is not on the screen, moves a write to the background, so that its dialog does not open unseen. */
  #hideWrite(id: number): void {
    if (!this.isOnScreen) this.dispatch({ type: 'write-behind', id });
  }

  /** Opens the dialog of the oldest write that failed or needs an answer. */
  readonly recall = (): void => {
    this.dispatch({ type: 'recalled' });
    this.#reportWrites();
  };

  /** Notifies the user of an unsettled write, whose dialog stays closed until the user opens it. */
  #reportUnsettled(id: number, { words }: Busy, problem?: Problem): void {
    this.#reportWrites();
    if (this.state.unsettled?.some((one) => one.id === id) !== true) return;
    const what = capitalize(words);
    const result = problem === undefined ? `${what} needs an answer.` : `${what} failed: ${problem.message}`;
    this.parts.notify(`${result} Press ${recallPress} to return to the change.`, 'refused');
  }

  /** Reports the writes of this pane to the console, which keeps the pane until they have finished. */
  #reportWrites(): void {
    const { writes = [], unsettled = [] } = this.state;
    const words = writes[0]?.busy.words ?? '';
    this.parts.reportWrites({
      pending: writes.length,
      unsettled: unsettled.length,
      words,
      recall: this.recall,
    });
  }

  /**
   * Stops waiting for the work of the open form: aborts a read, and moves a write to the background. If the form does not wait for work,
   * closes the dialog.
   */
  readonly stopWaiting = (): void => {
    const write = shownWrite(this.state);
    if (write !== undefined) this.dispatch({ type: 'write-behind', id: write.id });
    else if (awaitedWork(this.state) === undefined) this.dispatch({ type: 'closed' });
    else {
      this.abort(this.#runName);
      this.dispatch({ type: 'given-up' });
    }
  };

  /** Starts the work of the open form, or shows the errors of its invalid fields. */
  readonly save = (): void => {
    const form = findForm(this.state.dialog);
    if (form === undefined) return;
    const read = form.submit(formValues(form.form));
    if ('errors' in read) this.dispatch({ type: 'refused', errors: read.errors });
    else this.perform(read.work);
  };

  /** The props of `DialogBox` that handle the dialogs of this pane. */
  readonly dialogHandlers = {
    onForm: (event: FormEvent): void => this.dispatch({ type: 'form', event }),
    save: this.save,
    perform: this.perform,
    close: this.stopWaiting,
  } as const;

  protected fail(problem: Problem, command: Work<O> | Own): void {
    this.dispatch({ type: 'failed', problem, command });
  }

  /** Runs a command that only this kind of pane has. */
  protected abstract runOwn(command: Own): void;

  /** Applies the parts of an outcome that depend on the kind of pane, including the change. `busy` describes the finished work. */
  protected abstract apply(outcome: O, busy: Busy | undefined): void;

  #settle(outcome: O, busy: Busy): void {
    const { dialog, errors } = outcome;
    if (dialog !== undefined) this.dispatch({ type: 'followed-up', dialog });
    else if (errors !== undefined) this.dispatch({ type: 'refused', errors });
    else this.dispatch({ type: 'settled' });
    this.#apply(outcome, busy);
  }

  #apply(outcome: O, busy?: Busy): void {
    const { notice, refusal, opens, closesPane, next } = outcome;
    this.apply(outcome, busy);
    if (notice !== undefined) this.parts.notify(notice);
    if (refusal !== undefined) this.parts.notify(refusal, 'refused');
    if (opens !== undefined) this.parts.open(opens);
    if (closesPane) this.parts.back();
    if (next !== undefined) this.perform(next);
  }
}
