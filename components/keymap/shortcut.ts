import type { TaskState } from '../../src/model/tasks/task.ts';
import type { NounName } from '../console/nouns.ts';
import type { Move } from '../lists/cursor.ts';
import type { DiagnosisAction, HostnameDetailAction, HostnamesAction } from './hostnames.ts';
import type { ImportAction, PreviewFound } from './import.ts';
import type { MarkAction } from './marks.ts';
import type { BucketsAction, ObjectsAction, PreviewAction } from './objects.ts';
import type { Press } from './presses.ts';
import type { TaskAction, TasksAction } from './tasks.ts';
import type { WorkerAction, WorkersAction } from './workers.ts';

/** What decides whether a shortcut is available. */
export interface Situation {
  readonly readOnly: boolean;
  /** Whether a row is selected, or a value is there. */
  readonly selected: boolean;
  /** How many rows are marked. */
  readonly marked?: number;
  /** What the preview of a file to import has found. */
  readonly preview?: PreviewFound;
  /** What is being written at the moment, in words. */
  readonly busy?: string | undefined;
  /** Whether the data are those of this machine, which have neither a list of namespaces nor titles. */
  readonly local?: boolean;
  /** How the selected task is. */
  readonly task?: TaskState | undefined;
  /** What Enter does in the form that is open, in a word; it saves where nothing is said. */
  readonly submit?: string | undefined;
}

/** One action of a mode, and the presses that start it. */
export interface Shortcut<Action extends string> {
  readonly press: readonly Press[];
  /** One or two words, for the footer. */
  readonly label: string;
  /** Another label for the footer, where the situation has one. */
  readonly labelIn?: (situation: Situation) => string | undefined;
  /** A sentence without its full stop, for the help overlay and docs/keys.md. */
  readonly about: string;
  readonly does: Action;
  /** Why it cannot be done now, or false. */
  readonly unless?: (situation: Situation) => string | false;
  /** Left out of the footer: everyone tries it anyway. */
  readonly quiet?: boolean;
}

export type NamespacesAction =
  | Move
  | 'open'
  | 'create'
  | 'rename'
  | 'remove'
  | 'filter'
  | 'refresh'
  | 'copy'
  | 'back';
export type KeysAction =
  | Move
  | MarkAction
  | 'open'
  | 'create'
  | 'edit'
  | 'edit-outside'
  | 'expire'
  | 'remove'
  | 'export'
  | 'copy-keys'
  | 'import'
  | 'filter'
  | 'more'
  | 'refresh'
  | 'copy'
  | 'back';
export type ValueAction =
  | Move
  | 'next-view'
  | 'text'
  | 'json'
  | 'hex'
  | 'metadata'
  | 'search'
  | 'next-match'
  | 'edit'
  | 'edit-outside'
  | 'expire'
  | 'remove'
  | 'refresh'
  | 'copy'
  | 'copy-name'
  | 'back';

/** The actions of each mode. A mode is a pane, or what stands before it and takes the presses. */
export interface Actions {
  namespaces: NamespacesAction;
  keys: KeysAction;
  value: ValueAction;
  import: ImportAction;
  buckets: BucketsAction;
  objects: ObjectsAction;
  preview: PreviewAction;
  workers: WorkersAction;
  worker: WorkerAction;
  tasks: TasksAction;
  task: TaskAction;
  hostnames: HostnamesAction;
  hostname: HostnameDetailAction;
  diagnosis: DiagnosisAction;
  filter: 'keep' | 'clear';
  prefix: 'apply' | 'keep' | 'clear';
  contains: 'apply' | 'keep' | 'clear';
  search: 'apply' | 'clear';
  form: 'save' | 'next' | 'previous' | 'cancel';
  confirm: 'choose' | 'answer' | 'cancel';
  menu: 'choose' | 'answer' | 'cancel';
  problem: 'retry' | 'copy' | 'dismiss';
  help: Move | 'close';
  nouns: NounName;
  global: 'help' | 'target' | 'quit';
  always: 'interrupt' | 'suspend';
}

export type Mode = keyof Actions;
