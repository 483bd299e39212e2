import type { KeyEffect } from '../../src/services/kv/bulk/preview.ts';
import { Controller } from '../kit/controller.ts';
import { isMove } from '../kit/keys/cursor.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Work } from '../ui/forms/dialog.ts';
import {
  formatReading,
  type ImportCommand,
  type ImportEvent,
  type ImportState,
  noImport,
  reduceImport,
} from './import-state.ts';

export type OpenImport = Extract<OpenPane, { pane: 'import' }>;

/** Number of effects on keys that are collected before they are shown. */
const maxImmediate = 1000;

/** The preview of a file to import, outside React: reads the file, and starts the task that writes the file's entries. */
export class ImportController extends Controller<ImportState, ImportEvent> {
  readonly #opened: OpenImport;
  readonly #parts: PaneParts;

  constructor(opened: OpenImport, parts: PaneParts) {
    super(reduceImport, noImport, parts.notes);
    this.#opened = opened;
    this.#parts = parts;
  }

  readonly take = (work: Work | undefined): void => {
    if (work !== undefined) this.perform(work);
  };

  readonly perform = (command: ImportCommand): void => {
    if (command === 'read') this.#readAgain();
    else this.#start(command);
  };

  /** Runs an action that needs no service. `height` is the number of rows on the screen. */
  runAction(action: string, height: number): void {
    if (isMove(action)) this.dispatch({ type: 'moved', move: action, height });
    else if (action === 'refresh') this.#readAgain();
    else if (action === 'back') this.#parts.back();
  }

  protected override begin(): void {
    this.#read();
  }

  #readAgain(): void {
    this.dispatch({ type: 'reading' });
    this.#read();
  }

  #read(): void {
    this.run({
      name: 'read',
      work: (signal) => this.#preview(signal),
      done: () => this.dispatch({ type: 'compared-all' }),
      failed: (problem) => this.dispatch({ type: 'failed', problem, command: 'read' }),
    });
  }

  /** Reads and compares the file. A canceled read reports nothing, because another read may have started. */
  async #preview(signal: AbortSignal): Promise<void> {
    const { namespace, path } = this.#opened;
    const tell = (event: ImportEvent) => {
      if (!signal.aborted) this.dispatchBatched(event);
    };
    let effects: KeyEffect[] = [];
    const tellEffects = () => {
      tell({ type: 'found', found: { step: 'compared', effects } });
      effects = [];
    };
    const found = this.#parts.services.kv.previewImport(namespace.id, path, {
      signal,
      progress: (progress) => tell({ type: 'progressed', words: formatReading(progress) }),
    });
    for await (const step of found) {
      signal.throwIfAborted();
      if (step.step === 'checked') tell({ type: 'found', found: step });
      else effects.push(...step.effects);
      if (effects.length >= maxImmediate) tellEffects();
    }
    tellEffects();
  }

  #start(work: Work): void {
    this.dispatch({ type: 'begun', busy: work.busy });
    this.run({
      name: 'start',
      work: (signal) => work.run(signal),
      done: ({ notice, closesPane }) => {
        if (closesPane) this.#parts.back();
        this.#parts.notify(notice);
      },
      failed: (problem) => this.dispatch({ type: 'failed', problem, command: work }),
    });
  }
}
