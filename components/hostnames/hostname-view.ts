import { toOutcome } from '../../src/model/hostnames/list.ts';
import { isProblem } from '../../src/model/problem.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { type Change, concernsHostnames } from '../kit/changes.ts';
import { reading } from '../kit/keys/busy.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Work } from '../ui/forms/dialog.ts';
import { LiveReading } from '../ui/live/live-reading.ts';
import type { DataAge } from '../ui/status/age.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import { askToRestart } from './actions-on-hostnames.ts';
import { deletedChange, toChange } from './hostname-change.ts';
import { detailEntries } from './hostname-preview.ts';
import { isNews, Watch } from './watch.ts';

export type OpenHostname = Extract<OpenPane, { pane: 'hostname' }>;

/** The pane of a custom hostname. Polls the hostname while it is in progress. */
export class HostnameController extends ViewController<HostnameRow> {
  readonly reading: Work;
  readonly #opened: OpenHostname;
  readonly #watch: Watch;
  readonly #live: LiveReading;

  constructor(opened: OpenHostname, parts: PaneParts) {
    const again = readingHostname(opened, parts);
    super(parts, {
      content: opened.row,
      selects: true,
      createLines: (row, surface) =>
        entryLines(detailEntries(row, parts.world.now() + opened.ahead), surface),
      follows: (change) => (concernsHostnames(change, opened.zone.id) ? again : undefined),
    });
    this.reading = again;
    this.#opened = opened;
    this.#watch = new Watch(parts, {
      zone: opened.zone,
      rows: () => (this.isVisible ? [this.content] : []),
      found: ([change]) => this.#take(change?.row),
      run: this.run,
      way: 'Press r to reload.',
    });
    this.#live = new LiveReading({
      ...parts,
      cost: () => 1,
      readAt: () => this.content.readAt,
      read: () => this.#refresh(parts),
      changed: () => this.notify(),
    });
  }

  protected override begin(): void {
    super.begin();
    this.onClose(this.parts.changes.listen((change) => this.#hear(change)));
    this.onClose(this.#watch.open());
    this.onClose(this.#live.open());
    const { zone, row, asksToRestart = false } = this.#opened;
    if (asksToRestart) this.take(askToRestart(row.record, { zone, hidden: 0, parts: this.parts }));
  }

  protected override follow(): void {
    this.#watch.follow();
    const { dialog, busy, writes } = this.state;
    // The watch already polls a hostname in progress.
    const isPolled = toOutcome(this.content.record) === 'waiting';
    this.#live.follow(this.isVisible && !isPolled && (dialog ?? busy ?? writes) === undefined);
  }

  override get age(): DataAge {
    return { readAt: this.content.readAt, liveForMs: this.#live.liveForMs };
  }

  override get liveWords(): string {
    return this.#live.words;
  }

  #refresh(parts: PaneParts): void {
    const { zone, row } = this.#opened;
    this.run({
      name: 'refresh',
      work: (signal) => requireService(parts, 'hostnames').readAgain(zone.id, [row.record.id], signal),
      done: ([change]) => {
        const isNew = this.#take(change?.row);
        if (!isNew && change?.row !== undefined)
          this.dispatchSilently({ type: 'became', content: change.row });
        this.#live.ended(isNew ? 'changed' : 'same');
      },
      failed: () => this.#live.ended('failed'),
    });
  }

  /** Handles a change made by this or another pane. Closes the pane if the hostname was deleted. */
  #hear(change: Change): void {
    const { id } = this.#opened.row.record;
    if (change.changed !== 'hostname' || change.id !== id) return;
    if (change.row === undefined) this.parts.back();
    else {
      this.dispatch({ type: 'became', content: change.row });
      this.#watch.restart();
    }
  }

  /** Announces a changed row from the watch, or closes the pane if the hostname was deleted. Returns whether the row has changed. */
  #take(row: HostnameRow | undefined): boolean {
    const { zone, row: first } = this.#opened;
    const isNew = isNews(this.content, row);
    if (row === undefined) {
      this.parts.notify(`${first.record.hostname} was deleted.`, 'told');
      this.parts.changes.announce(deletedChange(zone, first.record.id));
      this.parts.back();
    } else if (isNew) this.parts.changes.announce(toChange(zone, row));
    return isNew;
  }
}

function readingHostname({ zone, row: { record } }: OpenHostname, parts: PaneParts): Work {
  return {
    busy: reading,
    async run(signal) {
      try {
        return {
          change: toChange(zone, await requireService(parts, 'hostnames').read(zone.id, record.id, signal)),
        };
      } catch (error) {
        if (isProblem(error) && error.code === 'not-found')
          parts.changes.announce(deletedChange(zone, record.id));
        throw error;
      }
    },
  };
}
