import type { KeyEffect } from '../../src/services/kv/bulk/preview.ts';
import { Controller } from '../kit/controller.ts';
import { starting } from '../kit/keys/busy.ts';
import { isMove } from '../kit/keys/cursor.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ImportAction } from './import-keymap.ts';
import {
  type ImportCommand,
  type ImportEvent,
  type ImportState,
  noImport,
  readingWords,
  reduceImport,
} from './import-state.ts';
import { entriesOf } from './key-marked.ts';

export type OpenImport = Extract<OpenPane, { pane: 'import' }>;

/** Effects that are told at once. */
const toldAtOnce = 1000;

/** The preview of a file to import, outside of React: reads the file, and starts the task that writes its entries. */
export class ImportController extends Controller<ImportState, ImportEvent> {
  readonly #opened: OpenImport;
  readonly #parts: PaneParts;

  constructor(opened: OpenImport, parts: PaneParts) {
    super(reduceImport, noImport, parts.notes);
    this.#opened = opened;
    this.#parts = parts;
  }

  readonly perform = (command: ImportCommand): void => {
    if (command.does === 'read') this.#readAgain();
    else this.#start(command);
  };

  /** `height` is the number of rows on the screen. */
  act(action: ImportAction, height: number): void {
    if (isMove(action)) this.dispatch({ type: 'moved', move: action, height });
    else if (action === 'refresh') this.#readAgain();
    else if (action === 'back') this.#parts.back();
    else this.#import(action === 'import-valid');
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
      failed: (problem) => this.dispatch({ type: 'failed', problem, command: { does: 'read' } }),
    });
  }

  /** Nothing is told of a reading that was ended: another one may have begun. */
  async #preview(signal: AbortSignal): Promise<void> {
    const { namespace, path } = this.#opened;
    const tell = (event: ImportEvent) => {
      if (!signal.aborted) this.gather(event);
    };
    let effects: KeyEffect[] = [];
    const tellEffects = () => {
      tell({ type: 'found', found: { step: 'compared', effects } });
      effects = [];
    };
    const found = this.#parts.services.kv.previewImport(namespace.id, path, {
      signal,
      progress: (progress) => tell({ type: 'told', words: readingWords(progress) }),
    });
    for await (const step of found) {
      signal.throwIfAborted();
      if (step.step === 'checked') tell({ type: 'found', found: step });
      else effects.push(...step.effects);
      if (effects.length >= toldAtOnce) tellEffects();
    }
    tellEffects();
  }

  #import(skipInvalid: boolean): void {
    const { checked } = this.state;
    if (checked !== undefined) this.#start({ does: 'import', skipInvalid, fingerprint: checked.fingerprint });
  }

  #start(command: Extract<ImportCommand, { does: 'import' }>): void {
    const { namespace, path } = this.#opened;
    const { skipInvalid, fingerprint } = command;
    const { create, change, same } = this.state;
    this.dispatch({ type: 'begun', busy: starting });
    this.run({
      name: 'start',
      work: () =>
        this.#parts.tasks.start({ does: 'import-keys', namespace, path, skipInvalid, fingerprint }, []),
      done: () => {
        this.#parts.back();
        this.#parts.notify(`Importing ${entriesOf(create + change + same)}: 5 shows the task.`);
      },
      failed: (problem) => this.dispatch({ type: 'failed', problem, command }),
    });
  }
}
