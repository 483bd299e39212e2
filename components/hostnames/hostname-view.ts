import { isProblem } from '../../src/model/problem.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type Change, concernsHostnames } from '../kit/changes.ts';
import { reading } from '../kit/keys/busy.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { type OwnViewActions, ViewController } from '../ui/viewer/view-controller.ts';
import type { ViewOutcome } from '../ui/viewer/view-source.ts';
import {
  authorityFault,
  busyWith,
  carryOutCommand,
  changeOf,
  goneChange,
  type HostnameCommand,
  removeDialog,
  restartDialog,
} from './commands.ts';
import { type EditedHostnames, editForm, readEditCommand } from './edit-form.ts';
import { detailEntries } from './hostname-preview.ts';
import type { HostnameDetailAction } from './keymap.ts';
import { authorityMenu } from './menus.ts';
import { isNews, Watch } from './watch.ts';

export type OpenHostname = Extract<OpenPane, { pane: 'hostname' }>;

/** The viewer of a custom hostname. */
interface HostnameParts {
  readonly content: HostnameRow;
  readonly command: { readonly does: 'read' } | HostnameCommand;
  readonly purpose: 'edit';
  readonly subject: EditedHostnames;
}

/** One custom hostname. While it is in progress it is read again and again. */
export class HostnameController extends ViewController<HostnameParts> {
  readonly #opened: OpenHostname;
  readonly #watch: Watch;

  constructor(opened: OpenHostname, parts: PaneParts) {
    super(parts, {
      content: opened.row,
      selects: true,
      linesOf: (row, surface) => entryLines(detailEntries(row, parts.world.now() + opened.ahead), surface),
      busyWith: { ...busyWith, read: reading },
      carryOut: (command, signal) => carryOut(command, opened, parts, signal),
      follows: (change) => (concernsHostnames(change, opened.zone.id) ? { does: 'read' } : undefined),
      readForm: ({ subject, form }) => readEditCommand(form, subject?.records ?? []),
    });
    this.#opened = opened;
    this.#watch = new Watch(parts, {
      zone: opened.zone,
      rows: () => (this.isVisible ? [this.content] : []),
      found: ([change]) => this.#take(change?.row),
      run: this.run,
      way: 'r reads it again.',
    });
  }

  /** Actions of the keys that only this pane has. */
  actions(): OwnViewActions<HostnameDetailAction> {
    const { zone } = this.#opened;
    const { record } = this.content;
    const { hostname } = record;
    const diagnose = (fix: boolean) => () => this.parts.open({ pane: 'diagnosis', zone, hostname, fix });
    return {
      refresh: () => this.perform({ does: 'read' }),
      diagnose: diagnose(false),
      fix: diagnose(true),
      revalidate: () => this.ask(restartDialog(record, zone)),
      authority: () => {
        const fault = authorityFault(record);
        if (fault === undefined) this.ask(authorityMenu(record));
        else this.parts.notify(fault, 'refused');
      },
      edit: () => this.ask(editForm(record)),
      instructions: () => this.parts.open({ pane: 'instructions', zone, record }),
      remove: () => this.ask(removeDialog(record, zone, { keeps: this.parts.services.undo?.keeps === true })),
    };
  }

  protected override begin(): void {
    super.begin();
    this.until(this.parts.changes.listen((change) => this.#hear(change)));
    this.until(() => this.#watch.stop());
  }

  protected override follow(): void {
    this.#watch.follow();
  }

  /** Takes a change that this pane made itself, or another one. Without the hostname there is nothing left to show. */
  #hear(change: Change): void {
    const { id } = this.#opened.row.record;
    if (change.changed !== 'hostname' || change.id !== id) return;
    if (change.row === undefined) this.parts.back();
    else {
      this.dispatch({ type: 'became', content: change.row });
      this.#watch.restart();
    }
  }

  /** Takes what was read while it is watched. */
  #take(row: HostnameRow | undefined): boolean {
    const { zone, row: first } = this.#opened;
    const isNew = isNews(this.content, row);
    if (row === undefined) {
      this.parts.notify(`${escapeText(first.record.hostname)} is gone.`, 'told');
      this.parts.changes.tell(goneChange(zone, first.record.id));
      this.parts.back();
    } else if (isNew) this.parts.changes.tell(changeOf(zone, row));
    return isNew;
  }
}

async function carryOut(
  command: HostnameParts['command'],
  { zone, row: { record } }: OpenHostname,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ViewOutcome<HostnameParts>> {
  const service = serviceOf(parts, 'hostnames');
  if (command.does !== 'read') {
    const { change, notice } = await carryOutCommand(command, zone, service, signal);
    return { change, notice, leaves: change.row === undefined };
  }
  try {
    return { change: changeOf(zone, await service.read(zone.id, record.id, signal)) };
  } catch (error) {
    if (isProblem(error) && error.code === 'not-found') parts.changes.tell(goneChange(zone, record.id));
    throw error;
  }
}
