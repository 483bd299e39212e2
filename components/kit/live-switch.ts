/** `on`: views are refreshed automatically. `off`: the setting turns refreshing off. `paused`: the user has paused refreshing. */
export type LiveState = 'on' | 'off' | 'paused';

/** The switch that determines, for all panes, whether views are refreshed automatically. */
export class LiveSwitch {
  #state: LiveState;
  readonly #listeners = new Set<() => void>();

  constructor(isOn: boolean) {
    this.#state = isOn ? 'on' : 'off';
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Pauses refreshing in all panes, or turns it on if it is paused or off. */
  toggle(): void {
    this.#state = this.#state === 'on' ? 'paused' : 'on';
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls a listener after changes, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}
