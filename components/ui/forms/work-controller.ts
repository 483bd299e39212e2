import type { Problem } from '../../../src/model/problem.ts';
import { Controller } from '../../kit/controller.ts';
import { type Busy, interruptedWriteNotice, runName } from '../../kit/keys/busy.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { type ActionResult, type Dialog, isWork, type PaneOutcome, type Work } from './dialog.ts';
import { type DialogEvent, type DialogState, findForm } from './dialog-state.ts';
import { formValues } from './form-state.ts';
import { giveUp } from './giving-up.ts';

/** The result of work in a pane. Its dialogs start work of the same kind, or a command of the pane (`Own`). */
interface Outcome<O, Own> extends Omit<PaneOutcome, 'dialog'> {
  readonly dialog?: Dialog<Work<O> | Own> | undefined;
}

type PaneEvent<O, Own> = DialogEvent<Work<O> | Own> | { readonly type: 'closed' };

/** A pane that runs the work of its actions and shows its dialogs, one at a time. */
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
    this.#runName = runName(busy, this.#runCount);
    this.dispatch({ type: 'begun', busy });
    this.run({
      name: this.#runName,
      cutShort: interruptedWriteNotice(busy),
      work: (signal) => command.run(signal),
      done: (outcome) => this.#settle(outcome, busy),
      doneAfterAbort: ({ change }) => change && this.parts.changes.announce(change),
      failed: (problem) => this.fail(problem, command),
    });
  };

  /** Stops waiting for running work and shows what a write may have done. Without such work, closes the dialog. */
  readonly stopWaiting = (): void =>
    giveUp(this.state, {
      dispatch: this.dispatch,
      abort: () => this.abort(this.#runName),
      refuse: (words) => this.parts.notify(words, 'refused'),
    });

  /** Starts the work of the open form, or shows which fields are invalid. */
  readonly save = (): void => {
    const form = findForm(this.state.dialog);
    if (form === undefined) return;
    const read = form.submit(formValues(form.form));
    if ('errors' in read) this.dispatch({ type: 'refused', errors: read.errors });
    else this.perform(read.work);
  };

  protected fail(problem: Problem, command: Work<O> | Own): void {
    this.dispatch({ type: 'failed', problem, command });
  }

  /** Runs a command that only this kind of pane has. */
  protected abstract runOwn(command: Own): void;

  /** Applies the parts of an outcome that only this kind of pane has, and announces the change. `busy` belongs to its work. */
  protected abstract apply(outcome: O, busy: Busy | undefined): void;

  #settle(outcome: O, busy: Busy): void {
    const { dialog, errors } = outcome;
    if (dialog !== undefined) this.dispatch({ type: 'followed-up', dialog });
    else if (errors !== undefined) this.dispatch({ type: 'refused', errors });
    else this.dispatch({ type: 'settled' });
    this.#apply(outcome, busy);
  }

  #apply(outcome: O, busy?: Busy): void {
    const { notice, refusal, opens, closesPane } = outcome;
    this.apply(outcome, busy);
    if (notice !== undefined) this.parts.notify(notice);
    if (refusal !== undefined) this.parts.notify(refusal, 'refused');
    if (opens !== undefined) this.parts.open(opens);
    if (closesPane) this.parts.back();
  }
}
