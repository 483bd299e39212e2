import type { NounName } from '../nouns.ts';
import type { Move } from './cursor.ts';
import type { DoctorAction } from '../../doctor/keymap.ts';
import type { HomeAction } from '../../home/keymap.ts';
import type {
  DiagnosesAction,
  DiagnosisAction,
  ForecastAction,
  HostnameDetailAction,
  HostnamesAction,
  PlanAction,
} from '../../hostnames/keymap.ts';
import type { ImportAction } from '../../kv/import-keymap.ts';
import type { KeysAction, NamespacesAction, ValueAction } from '../../kv/keymap.ts';
import type { MessagesAction } from '../../messages/keymap.ts';
import type { MovingAction } from '../../app/moving.ts';
import type { BucketsAction, ObjectsAction, PreviewAction } from '../../objects/keymap.ts';
import type { PaletteAction } from '../../palette/keymap.ts';
import type { TaskAction, TasksAction } from '../../tasks/keymap.ts';
import type { ComparisonAction, DifferencesAction } from '../../comparison/keymap.ts';
import type { InstructionsAction } from '../../hostnames/instructions/keymap.ts';
import type { UndoAction } from '../../undo/keymap.ts';
import type { LogsAction, WorkerAction, WorkersAction } from '../../workers/keymap.ts';
import type { RecordsAction } from '../../zones/keymap.ts';

/** The actions of each mode. A mode is a pane, or what stands before it and takes the presses. */
export interface Actions {
  home: HomeAction;
  namespaces: NamespacesAction;
  keys: KeysAction;
  value: ValueAction;
  comparison: ComparisonAction;
  differences: DifferencesAction;
  import: ImportAction;
  buckets: BucketsAction;
  objects: ObjectsAction;
  preview: PreviewAction;
  workers: WorkersAction;
  worker: WorkerAction;
  logs: LogsAction;
  tasks: TasksAction;
  task: TaskAction;
  hostnames: HostnamesAction;
  hostname: HostnameDetailAction;
  instructions: InstructionsAction;
  diagnosis: DiagnosisAction;
  diagnoses: DiagnosesAction;
  forecast: ForecastAction;
  records: RecordsAction;
  plan: PlanAction;
  messages: MessagesAction;
  doctor: DoctorAction;
  undo: UndoAction;
  filter: 'keep' | 'clear';
  prefix: 'apply' | 'clear';
  contains: 'apply' | 'clear';
  search: 'apply' | 'clear';
  /** `line` is done by the field that is typed in. */
  form: 'save' | 'complete' | 'next' | 'previous' | 'line' | 'cancel';
  /** A field of a form whose value is picked. */
  choice: 'save' | 'choose' | 'next' | 'previous' | 'cancel';
  confirm: 'yes' | 'choose' | 'answer' | 'cancel';
  menu: 'choose' | 'answer' | 'cancel';
  problem: 'retry' | 'copy' | 'dismiss';
  help: Move | 'run' | 'close';
  palette: PaletteAction;
  moving: MovingAction;
  nouns: NounName;
  global:
    | 'help'
    | 'target'
    | 'acting'
    | 'undo'
    | 'messages'
    | 'doctor'
    | 'equivalents'
    | 'preview'
    | 'mouse'
    | 'quit';
  always: 'interrupt' | 'suspend' | 'redraw';
}

export type Mode = keyof Actions;
