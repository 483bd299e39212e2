import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../../files/folders.ts';
import { removeExpired } from '../../files/stored.ts';
import type { Facts } from '../../model/diagnosis/facts.ts';
import { parseFacts } from '../../model/diagnosis/facts-shape.ts';
import { formatVersions } from '../../model/formats.ts';
import { isObject } from '../../model/json-object.ts';
import type { World } from '../../world.ts';
import { onMissing } from '../session/state-file.ts';

/** Names of the facts about the zone. Hostnames share these facts, so they are saved on a separate line before the hostnames. */
const zoneFields = [
  'zone',
  'workerRoutes',
  'fallback',
  'quota',
  'delegation',
  'edgeRanges',
  'apexRanges',
  'issuance',
] as const satisfies readonly (keyof Facts)[];

/**
 * The position of a hostname's facts in the file. `now` is the time at which the facts were gathered, in milliseconds on the platform's
 * clock.
 */
export interface SavedFacts {
  readonly hostname: string;
  /** The hostname's id; undefined if the zone does not contain the hostname. */
  readonly id: string | undefined;
  readonly now: number;
  /** Whether a server could not be reached while the facts were gathered. */
  readonly isPassing: boolean;
  /** The hostname's position in the list, starting at 0. */
  place: number;
  readonly offset: number;
  readonly length: number;
  /** The line with the zone facts. */
  readonly zone: Readonly<Record<string, unknown>>;
}

/** Maximum file size in bytes. When the file is full, further hostnames are not saved. */
const maxBytes = 256 * 1024 * 1024;

/** Age in milliseconds after which a file is deleted. */
const lifetimeMs = 24 * 60 * 60 * 1000;

/**
 * A file of facts about hostnames, in the order in which they were gathered, one JSON value per line, readable only by the user. Custom
 * metadata of hostnames is not saved. The file is opened or created when it is first used.
 */
export class SavedRunFile {
  readonly #path: string;
  readonly #limitBytes: number;
  #file: FileHandle | undefined;
  #length = 0;
  #last: Facts | undefined;
  #isClosed = false;
  #written: Promise<void> = Promise.resolve();

  constructor(path: string, limitBytes = maxBytes) {
    this.#path = path;
    this.#limitBytes = limitBytes;
  }

  /** Deletes this file, and old files of other runs. */
  async clear({ now }: Pick<World, 'now'>): Promise<void> {
    await rm(this.#path, { force: true });
    const folder = dirname(this.#path);
    for (const name of await readdir(folder).catch(onMissing<string[]>([]))) {
      const path = join(folder, name);
      const { mtimeMs } = (await stat(path).catch(onMissing(undefined))) ?? {};
      if (name.endsWith('.ndjson') && mtimeMs !== undefined && now() - mtimeMs > lifetimeMs)
        await removeExpired('diagnosis', path);
    }
  }

  /** Returns the position of the latest facts about each hostname, by hostname. Ignores incomplete lines. */
  async read(): Promise<Map<string, SavedFacts>> {
    const found = new Map<string, SavedFacts>();
    const file = await this.#open();
    let zone: SavedFacts['zone'] = {};
    for await (const { text, offset, length } of readLines(file)) {
      const line = parsed(text);
      if (line === undefined) continue;
      const { place, moved } = line;
      const before = typeof moved === 'string' ? found.get(moved) : undefined;
      if (isObject(line['zone'])) zone = line['zone'];
      else if (before !== undefined && typeof place === 'number') before.place = place;
      else if (isObject(line['facts']) && typeof place === 'number') {
        const { hostname, now } = line['facts'];
        if (typeof hostname !== 'string' || typeof now !== 'number') continue;
        found.delete(hostname);
        const isPassing = line['isPassing'] === true;
        found.set(hostname, {
          hostname,
          id: idIn(line['facts']),
          now,
          isPassing,
          place,
          offset,
          length,
          zone,
        });
      }
    }
    return found;
  }

  /** Reads the facts at a position. Returns undefined if the facts are invalid. */
  async readFacts({ offset, length, zone }: SavedFacts): Promise<Facts | undefined> {
    const { buffer } = await (await this.#open()).read(Buffer.alloc(length), 0, length, offset);
    const facts = parsed(buffer.toString('utf8'))?.['facts'];
    try {
      return isObject(facts) ? parseFacts({ ...zone, ...facts }) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Adds facts. Returns false if the file is full. */
  async add(place: number, facts: Facts, isPassing = false): Promise<boolean> {
    const last = this.#last;
    const isSame = last !== undefined && zoneFields.every((name) => facts[name] === last[name]);
    const zone = Object.fromEntries(zoneFields.map((name) => [name, facts[name]]));
    const own = Object.fromEntries(
      Object.entries(withoutMetadata(facts)).filter(([name]) => !(name in zone)),
    );
    this.#last = facts;
    return this.#write([
      ...(isSame ? [] : [{ zone }]),
      { place, facts: own, ...(isPassing && { isPassing }) },
    ]);
  }

  /** Records that a hostname has moved to another position in the list. */
  move(hostname: string, place: number): Promise<boolean> {
    return this.#write([{ place, moved: hostname }]);
  }

  async #write(lines: readonly unknown[]): Promise<boolean> {
    // Ignores a write after the end of the run, because the file may now belong to another run.
    if (this.#isClosed) return true;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    if (this.#length + text.length > this.#limitBytes) return false;
    this.#length += text.length;
    this.#written = this.#written.then(async () => void (await (await this.#open()).appendFile(text)));
    await this.#written;
    return true;
  }

  /** Opens the file on the first call. Adds a line break to an existing file, because a killed process may have left an incomplete line. */
  async #open(): Promise<FileHandle> {
    if (this.#file !== undefined) return this.#file;
    makePrivateFolder(dirname(this.#path));
    const file = await open(this.#path, 'a+', 0o600);
    this.#file = file;
    this.#length = (await file.stat()).size;
    const start = this.#length > 0 ? '\n' : `${JSON.stringify({ version: formatVersions.diagnosis })}\n`;
    await file.appendFile(start);
    this.#length += start.length;
    return file;
  }

  /** Stops adding to the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#written.catch(() => undefined);
    await this.#file?.close();
    this.#file = undefined;
  }
}

interface Line {
  readonly text: string;
  /** Offset in the file, in bytes. */
  readonly offset: number;
  readonly length: number;
}

/** Yields the lines of a file. Ignores an incomplete last line. */
async function* readLines(file: FileHandle): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    let from = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, from)) {
      yield { text: rest.toString('utf8', from, end), offset: offset + from, length: end - from };
      from = end + 1;
    }
    offset += from;
    rest = rest.subarray(from);
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function idIn({ record }: Readonly<Record<string, unknown>>): string | undefined {
  const known = isObject(record) ? record['known'] : undefined;
  const id = isObject(known) ? known['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function withoutMetadata(facts: Facts): Facts {
  return {
    ...facts,
    record: withoutExtension(facts.record),
    wildcardRecord: withoutExtension(facts.wildcardRecord),
  };
}

function withoutExtension(fact: Facts['record']): Facts['record'] {
  if (!('known' in fact) || fact.known === null) return fact;
  const { custom_metadata: _kept, ...known } = fact.known;
  return { known };
}
