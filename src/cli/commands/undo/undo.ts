import { isoSeconds } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import { thingWords, type UndoEntry } from '../../../model/undo/entry.ts';
import type { Choice } from '../../../services/session/session.ts';
import { factsOf, placeChoice } from '../../../services/undo/facts.ts';
import { type Journal, openJournal } from '../../../services/undo/journal.ts';
import { restore } from '../../../services/undo/restore.ts';
import { formatSize } from '../../../text/size.ts';
import { command } from '../../parsing/command.ts';
import type { GlobalFlags } from '../../parsing/flags.ts';
import type * as declared from './declarations.ts';
import { entryJson } from './entry-json.ts';

export const listCommand = command<typeof declared.undoList>({
  async run({ world, output }) {
    const { entries, skipped } = await openJournal(world).list();
    for (const sentence of skipped) output.warn(sentence);
    if (output.json) return void (await output.answerJson(entries.map(entryJson)));
    if (entries.length === 0) output.note('Nothing is kept for undo.');
    for (const entry of entries) await output.line(listLine(entry));
    return undefined;
  },
});

function listLine({ id, at, did, thing, size }: UndoEntry): string {
  const time = isoSeconds(Math.floor(at / 1000));
  return `${id}  ${time}  ${did.padEnd(8)}  ${formatSize(size).padStart(8)}  ${thingWords(thing)}`;
}

export const showCommand = command<typeof declared.undoShow>({
  async run({ world, output }, { args, flags }) {
    const journal = openJournal(world);
    const entry = await entryOf(journal, args.ID);
    const bytes = await journal.read(entry);
    if (flags.value) return void (await output.answer(bytes));
    if (output.json) return void (await output.answerJson(entryJson(entry)));
    for (const [name, text] of factsOf(entry, bytes)) await output.line(`${name.padEnd(10)} ${text}`);
    return undefined;
  },
});

export const restoreCommand = command<typeof declared.undoRestore>({
  async run(context, { args, flags }) {
    const entry = await entryOf(openJournal(context.world), args.ID);
    const session = await context.session(choiceFor(entry, flags));
    const options = { force: flags.force, withoutExpiry: flags['no-expiry'] };
    const restored = await restore(session, entry, options);
    if (restored.outcome !== 'restored')
      throw new Problem('refused', `${restored.why} Nothing was put back.`, { hint: ways[restored.outcome] });
    await context.output.result(`Put back ${thingWords(entry.thing)}.`, {
      id: entry.id,
      restored: true,
      target: session.label,
    });
  },
});

const ways = {
  other: 'To write over it, which keeps it in its turn: --force',
  expired: 'To put it back without an expiry: --no-expiry',
} as const;

/** The entry that is named, or the last change of a person: not what putting back has taken away. */
async function entryOf(journal: Journal, id: string | undefined): Promise<UndoEntry> {
  if (id !== undefined) return journal.find(id);
  const last = (await journal.list()).entries.find(({ did }) => did !== 'restored');
  if (last !== undefined) return last;
  throw new Problem('not-found', 'Nothing is kept for undo.', {
    hint: 'Single changes are kept in the console, on a terminal, and with --undo.',
  });
}

/** Where the entry was made, unless flags say where to act: then they have to say the same. */
function choiceFor(entry: UndoEntry, flags: GlobalFlags): Partial<Choice> {
  const { profile, sandbox, 'account-id': accountId, 'api-base-url': apiBaseUrl } = flags;
  const typed =
    profile !== undefined || sandbox !== false || accountId !== undefined || apiBaseUrl !== undefined;
  return typed ? { preview: entry.target === 'preview' } : placeChoice(entry);
}

export const purgeCommand = command<typeof declared.undoPurge>({
  async run({ world, output, ask }) {
    const journal = openJournal(world);
    const { entries } = await journal.list();
    const what = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
    if (entries.length > 0)
      await ask.confirm(`Forget ${what} of undo?`, `${what} of undo would be forgotten.`);
    const purged = await journal.purge();
    await output.result(`Forgot ${purged === 1 ? '1 entry' : `${purged} entries`} of undo.`, { purged });
  },
});
