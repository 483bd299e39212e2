import { type Run, type RunNotes, Runs } from './runs.ts';

/** Duration of a frame in milliseconds. Batched events within a frame cause a single notification. */
const frameMs = 16;

/**
 * A pane's logic outside React: its state, which a pure reducer changes on events, and the work that the state requires. A controller runs
 * from `open` to `close`; the pane subscribes to it with `useController`.
 */
export class Controller<State, Event> {
  #state: State;
  readonly #reduce: (state: State, event: Event) => State;
  readonly #listeners = new Set<() => void>();
  readonly #runs: Runs;
  readonly #cleanups: Array<() => void> = [];
  #timer: NodeJS.Timeout | undefined;
  #hasPendingUpdate = false;
  #isOpen = false;
  #notifications = 0;

  constructor(reduce: (state: State, event: Event) => State, first: State, notes: RunNotes) {
    this.#reduce = reduce;
    this.#state = first;
    this.#runs = new Runs(notes);
  }

  /** The current state: the same object until an event changes the state. */
  get state(): State {
    return this.#state;
  }

  /** Number of notifications so far. The pane is redrawn when this number changes. */
  get notifications(): number {
    return this.#notifications;
  }

  /** Calls a listener after changes, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly dispatch = (event: Event): void => this.#take(event, () => this.#notifyListeners());

  open(): void {
    this.#isOpen = true;
    this.begin();
    this.follow();
  }

  /** Aborts all running work. Results of aborted work are dropped. */
  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#runs.abortAll();
    for (const end of this.#cleanups.splice(0)) end();
  }

  /** Starts the pane's initial work. */
  protected begin(): void {}

  /** Starts the work that the current state requires. Called when the controller opens and after each event, not when drawing. */
  protected follow(): void {}

  /** Handles an event without notifying the listeners: the screen does not change. */
  protected readonly dispatchSilently = (event: Event): void => this.#take(event, () => undefined);

  /** Handles one of many events in quick succession: listeners are notified once per frame. */
  protected readonly dispatchBatched = (event: Event): void => this.#take(event, () => this.#notifySoon());

  /** Starts a run, and aborts any unfinished run with the same name. */
  protected readonly run = <T>(run: Run<T>): void => this.#runs.start(run);

  /** Aborts the run with this name, and drops its result. */
  protected abort(name: string): void {
    this.#runs.abort(name);
  }

  /** Registers a function that `close` calls. */
  protected onClose(end: () => void): void {
    this.#cleanups.push(end);
  }

  /** Notifies the listeners after silent events, or after a change outside the state. */
  protected notify(): void {
    this.#notifyListeners();
  }

  #take(event: Event, tell: () => void): void {
    const before = this.#state;
    this.#state = this.#reduce(before, event);
    if (this.#state === before) return;
    tell();
    if (this.#isOpen) this.follow();
  }

  #notifyListeners(): void {
    this.#hasPendingUpdate = false;
    this.#notifications++;
    for (const listener of this.#listeners) listener();
  }

  #notifySoon(): void {
    this.#hasPendingUpdate = true;
    if (this.#timer !== undefined) return;
    this.#notifyListeners();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#hasPendingUpdate) this.#notifySoon();
    }, frameMs);
  }
}
