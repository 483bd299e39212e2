import { isoSeconds } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import { describeThing, isMadeAt, type UndoEntry } from '../../../model/undo/entry.ts';
import { checkBaseUrl } from '../../../profiles/base-url.ts';
import { sandboxProfile } from '../../../profiles/profile.ts';
import { sandboxFolder, sandboxLabel } from '../../../services/sandbox/folder.ts';
import type { Choice } from '../../../services/session/session.ts';
import { readPlace } from '../../../services/undo/change-with-undo.ts';
import { describeAuthor, listFacts, placeChoice } from '../../../services/undo/facts.ts';
import { detectOwner, openJournal } from '../../../services/undo/journal.ts';
import { describePlace, restore } from '../../../services/undo/restore.ts';
import { formatSize } from '../../../text/size.ts';
import type { World } from '../../../world.ts';
import { type Context, command } from '../../parsing/command.ts';
import { type GlobalFlags, toChoice } from '../../parsing/flags.ts';
import type * as declared from './declarations.ts';

export const listCommand = command<typeof declared.undoList>({
  async run({ world, output }, { flags }) {
    const place = namedPlace(world, flags);
    const { entries: all, skipped } = await openJournal(world).list();
    const entries = place === undefined ? all : all.filter(place.has);
    for (const sentence of skipped) output.warn(sentence);
    if (output.json) return void (await output.answerJson(entries.map(entryJson)));
    if (entries.length === 0) output.note(noEntryProblem(place?.words));
    for (const entry of entries) await output.line(formatEntry(entry));
    return undefined;
  },
});

function formatEntry(entry: UndoEntry): string {
  const { id, at, did, thing, size } = entry;
  const time = isoSeconds(Math.floor(at / 1000));
  const author = describeAuthor(entry);
  const what = `${describeThing(thing)}${author === '' ? '' : ` (${author})`}, ${describePlace(entry)}`;
  return `${id}  ${time}  ${did.padEnd(8)}  ${formatSize(size).padStart(8)}  ${what}`;
}

export const showCommand = command<typeof declared.undoShow>({
  async run({ world, output }, { args, flags }) {
    const entry = await findEntry(world, args.ID, namedPlace(world, flags));
    const bytes = await openJournal(world).read(entry);
    if (flags.value) {
      const { formatBatchValues } = await import('../../../services/undo/batch.ts');
      return void (await output.answer(formatBatchValues(entry, bytes) ?? checkSingle(entry, bytes)));
    }
    if (output.json) return void (await output.answerJson(entryJson(entry)));
    for (const [name, text] of listFacts(entry, bytes)) await output.line(`${name.padEnd(10)} ${text}`);
    return undefined;
  },
});

function checkSingle({ id, thing }: UndoEntry, bytes: Uint8Array): Uint8Array {
  if (thing.kind !== 'batch') return bytes;
  throw new Problem(
    'usage',
    `Undo entry ${id} contains ${describeThing(thing)}, which cannot be printed together.`,
    {
      hint: `To restore them: edgectl undo restore ${id}`,
    },
  );
}

export const restoreCommand = command<typeof declared.undoRestore>({
  async run(context, { args, flags }) {
    const entry = await findEntryToRestore(context, args.ID, flags);
    const session = await context.session(choiceFor(entry, flags));
    const options = { force: flags.force, withoutExpiry: flags['no-expiry'] };
    const restored = await restore(session, entry, options);
    if (restored.outcome !== 'restored')
      throw new Problem('refused', `${restored.why} Nothing was restored.`, {
        hint: restoreAdvice[restored.outcome],
      });
    // A dry run reaches this line only if the current data equals the saved data, in which case restoring requires no request.
    context.dryRun?.end(session.label, [{ does: 'forget', what: `undo entry ${entry.id}` }]);
    if (restored.note !== undefined) context.output.warn(restored.note);
    await context.output.result(`Restored ${describeThing(entry.thing)}.`, {
      id: entry.id,
      restored: true,
      target: session.label,
    });
  },
});

const restoreAdvice = {
  other: 'To save the current state for undo, and overwrite it: --force',
  expired: 'To restore the data without an expiry: --no-expiry',
} as const;

/**
 * Finds the named entry, or else the last change by the same kind of author (a person or a program), or else the last change. A restore
 * does not count as a change.
 */
async function findEntry(world: World, id: string | undefined, place?: NamedPlace): Promise<UndoEntry> {
  const journal = openJournal(world);
  if (id !== undefined) return journal.find(id);
  const changes = (await journal.list()).entries.filter(
    (entry) => entry.did !== 'restored' && (place === undefined || place.has(entry)),
  );
  const last = changes.find(({ by = 'person' }) => by === detectOwner(world)) ?? changes[0];
  if (last !== undefined) return last;
  if (place !== undefined) {
    throw new Problem('not-found', noEntryProblem(place.words), {
      remedy: { kind: 'list-kept' },
    });
  }
  throw new Problem('not-found', noEntryProblem(), {
    hint: 'Single deletes and changes are saved unless --no-undo or the setting undo turns saving off.',
  });
}

/** Finds the named entry, or else the last change. If flags select an account or a sandbox, only changes to its data are considered. */
async function findEntryToRestore(
  { world, output, openSession }: Context,
  id: string | undefined,
  flags: GlobalFlags,
): Promise<UndoEntry> {
  if (id !== undefined || !choosesPlace(flags)) return findEntry(world, id);
  const session = await openSession({}, (message) => output.trace(message));
  try {
    const place = await readPlace(session);
    const has = (entry: UndoEntry) => isMadeAt(entry, { ...place, target: entry.target });
    return await findEntry(world, undefined, { words: describePlace(place), has });
  } finally {
    await session.close();
  }
}

function choosesPlace({
  profile,
  sandbox,
  'account-id': accountId,
  'api-base-url': url,
}: GlobalFlags): boolean {
  return profile !== undefined || sandbox !== false || accountId !== undefined || url !== undefined;
}

/** The account, platform or sandbox whose undo entries the flags select. */
interface NamedPlace {
  /** A description, which may contain outside data. */
  readonly words: string;
  has(entry: UndoEntry): boolean;
}

/**
 * Returns the account, platform or sandbox that the flags select, without sending a request; undefined if the flags select none.
 */
function namedPlace(world: World, flags: GlobalFlags): NamedPlace | undefined {
  if (!choosesPlace(flags)) return undefined;
  const { profile, sandboxDir, accountId, apiBaseUrl } = toChoice(flags);
  const folder = profile === sandboxProfile ? sandboxFolder(world, sandboxDir) : undefined;
  const baseUrl =
    apiBaseUrl === undefined ? undefined : checkBaseUrl(apiBaseUrl, '--api-base-url', world.env);
  const words = [
    folder === undefined ? profile && `profile ${profile}` : sandboxLabel(world, folder),
    accountId && `account ${accountId}`,
    baseUrl,
  ];
  return {
    words: words.filter(Boolean).join(', '),
    has: ({ where, accountId: ofEntry }) =>
      (folder === undefined || (where.kind === 'sandbox' && where.folder === folder)) &&
      (profile === undefined ||
        folder !== undefined ||
        (where.kind === 'remote' && where.profile === profile)) &&
      (accountId === undefined || ofEntry === accountId) &&
      (baseUrl === undefined || where.baseUrl === baseUrl),
  };
}

function noEntryProblem(of?: string): string {
  return `No undo entries found${of === undefined ? '' : ` for ${of}`}.`;
}

/** Returns the settings of the session that restores the entry. If flags select an account or a sandbox, they take precedence. */
function choiceFor(entry: UndoEntry, flags: GlobalFlags): Partial<Choice> {
  return choosesPlace(flags) ? { preview: entry.target === 'preview' } : placeChoice(entry);
}

export const purgeCommand = command<typeof declared.undoPurge>({
  async run({ world, output, ask, dryRun }, { flags }) {
    const journal = openJournal(world);
    const place = namedPlace(world, flags);
    const { entries: all } = await journal.list();
    const entries = place === undefined ? all : all.filter(place.has);
    const what = countEntries(entries.length);
    if (entries.length > 0) await ask.confirm(`Delete ${what}?`, `${what} would be deleted.`);
    dryRun?.end('this machine', [{ does: 'forget', what }]);
    const { deleted: purged, newer } =
      place === undefined ? await journal.purge() : { deleted: entries.length, newer: 0 };
    if (place !== undefined) for (const entry of entries) await journal.remove(entry);
    await output.result(`Deleted ${countEntries(purged)}.`, {
      purged,
      ...(newer > 0 && { newer }),
    });
    if (newer > 0) output.warn(`Kept ${countEntries(newer)} that a newer version of edgectl wrote.`);
  },
});

function countEntries(count: number): string {
  return count === 1 ? '1 undo entry' : `${count} undo entries`;
}

/** Converts an entry to its JSON answer: without the version of its file, and with times in RFC 3339 format. */
function entryJson({ version: _, at, thing, target, ...entry }: UndoEntry) {
  const isSandbox = entry.where.kind === 'sandbox' && target === 'production';
  return {
    ...entry,
    target: isSandbox ? ('sandbox' as const) : target,
    at: new Date(at).toISOString(),
    thing: thingJson(thing),
  };
}

function thingJson(thing: UndoEntry['thing']) {
  if (thing.kind !== 'value') return thing;
  const { expiration, ...value } = thing;
  return { ...value, ...(expiration !== undefined && { expiration: isoSeconds(expiration) }) };
}
