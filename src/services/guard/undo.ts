import type { RequestFacts } from '../../model/guard/policy.ts';
import { isObject } from '../../model/json-object.ts';
import { noJurisdiction } from '../../model/jurisdiction.ts';
import { keyFault } from '../../model/kv/kv.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { UndoEntry } from '../../model/undo/entry.ts';
import { undoLimits } from '../../model/undo/entry.ts';
import { formatSize } from '../../text/size.ts';
import { parseBody, pick } from '../../v4/body-names.ts';
import { isPercentEncodedUtf8, isPlainText } from '../../v4/request-facts.ts';
import { type Body, openStream, readBody, type Send } from '../../v4/send.ts';
import { objstoreHeaders } from '../../v4/wire.ts';
import { readFallbackOrigin } from '../hostnames/fallback-origin.ts';
import { readHostname } from '../hostnames/hostnames.ts';
import { hashValue, readKey } from '../kv/key-change.ts';
import { readObjectEntry } from '../objects/objects.ts';
import type { Session } from '../session/session.ts';
import { checkBatchSize, inParallel, readOldValues, saveStates } from '../undo/batch.ts';
import type { OldState } from '../undo/change-with-undo.ts';
import { hasOtherSettings, toSavedSettings } from '../undo/hostnames.ts';
import { type Journal, openJournal } from '../undo/journal.ts';
import { readOldObject } from '../undo/objects.ts';
import { readSavedRecord } from '../undo/records.ts';
import { toOldValue } from '../undo/values.ts';
import { readZoneRecord } from '../zones/zones.ts';
import type { ForwardOutcome } from './forward.ts';

/** A request that a guard will forward, with details that are not in its facts. */
export interface UndoRequest {
  readonly facts: RequestFacts;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body; required if `needsBody` returns true. */
  readonly body?: Body | undefined;
  /** The object keys of a DeleteObjects request. */
  readonly keys?: readonly string[] | undefined;
  /** The jurisdiction of the bucket, which an S3 client sends in the path. */
  readonly jurisdiction?: string | undefined;
}

/** A change that was saved for undo. */
export interface SavedChange {
  /** Completes the entry, or removes it if the platform has refused the request. Never rejects. */
  finish(outcome: ForwardOutcome): Promise<void>;
  /** Removes the entry, because the request was not sent. */
  drop(): Promise<void>;
}

/** A change that undo can restore, if the old state can be saved. */
export interface UndoableChange {
  /** Saves what the request will delete or overwrite. Fails with a Problem if the old state cannot be saved. */
  save(): Promise<SavedChange>;
}

/** The undo functions of a guard, which save what the guard's clients delete or overwrite. */
export interface GuardUndo {
  /** Waits until all entries are complete. */
  close(): Promise<void>;
  /** Returns whether saving requires the body of the request, because the body lists the keys or objects, or contains the new value. */
  needsBody(facts: RequestFacts): boolean;
  /**
   * Returns the change that a request makes; undefined if undo does not support such a change. Fails with a Problem if the change cannot be
   * saved, regardless of the old state.
   */
  prepare(request: UndoRequest): Promise<UndoableChange | undefined>;
}

/** The undo functions of a guard that saves nothing for undo. */
export const withoutUndo: GuardUndo = {
  needsBody: () => false,
  prepare: async () => undefined,
  close: async () => undefined,
};

const namespace = '/accounts/:account/storage/kv/namespaces/:namespace';
const objects = '/accounts/:account/r2/buckets/:bucket/objects';
const hostname = '/zones/:zone/custom_hostnames/:hostname';
const origin = '/zones/:zone/custom_hostnames/fallback_origin';
const record = '/zones/:zone/dns_records/:record';

/** The effect of a request on one resource. */
type Did = 'deleted' | 'replaced';

interface SavedRoute {
  readonly kind: 'value' | 'values' | 'object' | 'objects' | 'hostname' | 'fallback-origin' | 'dns-record';
  readonly did: Did;
}

/** The routes whose changes are saved for undo. */
export const savedRoutes: Readonly<Record<string, SavedRoute>> = {
  [`PUT ${namespace}/values/*key`]: { kind: 'value', did: 'replaced' },
  [`DELETE ${namespace}/values/*key`]: { kind: 'value', did: 'deleted' },
  [`PUT ${namespace}/bulk`]: { kind: 'values', did: 'replaced' },
  [`DELETE ${namespace}/bulk`]: { kind: 'values', did: 'deleted' },
  [`POST ${namespace}/bulk/delete`]: { kind: 'values', did: 'deleted' },
  [`PUT ${objects}/*key`]: { kind: 'object', did: 'replaced' },
  [`DELETE ${objects}/*key`]: { kind: 'object', did: 'deleted' },
  [`DELETE ${objects}`]: { kind: 'objects', did: 'deleted' },
  's3:PutObject': { kind: 'object', did: 'replaced' },
  's3:CopyObject': { kind: 'object', did: 'replaced' },
  's3:CompleteMultipartUpload': { kind: 'object', did: 'replaced' },
  's3:DeleteObject': { kind: 'object', did: 'deleted' },
  's3:DeleteObjects': { kind: 'objects', did: 'deleted' },
  [`PATCH ${hostname}`]: { kind: 'hostname', did: 'replaced' },
  [`DELETE ${hostname}`]: { kind: 'hostname', did: 'deleted' },
  [`PUT ${origin}`]: { kind: 'fallback-origin', did: 'replaced' },
  [`DELETE ${origin}`]: { kind: 'fallback-origin', did: 'deleted' },
  [`PUT ${record}`]: { kind: 'dns-record', did: 'replaced' },
  [`PATCH ${record}`]: { kind: 'dns-record', did: 'replaced' },
  [`DELETE ${record}`]: { kind: 'dns-record', did: 'deleted' },
};

function findSavedRoute({ method, route = '' }: RequestFacts): SavedRoute | undefined {
  const name = route.startsWith('s3:') ? route : `${method} ${route}`;
  return Object.hasOwn(savedRoutes, name) ? savedRoutes[name] : undefined;
}

/** Maximum length of a body that is read, in bytes: more than the platform accepts. */
const maxBodyBytes = 128 * 1024 * 1024;
const noBytes = new Uint8Array();

/** Opens the undo journal for a guard. `client` is the name of the guard's clients in the entries. */
export function openGuardUndo(session: Session, client: string): GuardUndo {
  const journal = openJournal(session.world, { by: 'script', client });
  const unfinished = new Set<Promise<void>>();
  let last: Promise<unknown> = Promise.resolve();
  /** Runs functions one at a time, because only one batch may be in memory. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    needsBody(facts) {
      const saved = findSavedRoute(facts);
      const isNamed = facts.route?.startsWith('s3:') === true;
      return !isNamed && (saved?.kind === 'value' || saved?.kind === 'values' || saved?.kind === 'objects');
    },
    async prepare(request) {
      const route = findSavedRoute(request.facts);
      if (route === undefined) return undefined;
      checkPath(request.facts.path);
      const own = atRequest(session, request);
      const change = await planChange(own, route, request);
      const save = async (): Promise<SavedChange> => {
        const entry = await saveStates(own, journal, await change.read());
        if (entry === undefined) return unsaved;
        const { promise, resolve } = Promise.withResolvers<void>();
        unfinished.add(promise);
        const end = () => {
          unfinished.delete(promise);
          resolve();
        };
        return {
          finish: (outcome) => finishEntry(journal, entry, change, outcome).finally(end),
          drop: () => journal.remove(entry).finally(end),
        };
      };
      return { save: () => (route.kind === 'values' || route.kind === 'objects' ? inTurn(save) : save()) };
    },
    close: async () => void (await Promise.all(unfinished)),
  };
}

/** Returns a session for the account and the jurisdiction of a request. */
function atRequest(session: Session, { facts, headers, jurisdiction }: UndoRequest): Session {
  const { account, bucket } = facts;
  const own = account === undefined ? session : { ...session, accountId: async () => account };
  if (bucket === undefined) return own;
  const header = headers[objstoreHeaders.jurisdiction];
  const named = jurisdiction ?? (typeof header === 'string' ? header : noJurisdiction);
  const send: Send = (call) =>
    session.send({ ...call, headers: { ...call.headers, [objstoreHeaders.jurisdiction]: named } });
  return { ...own, send };
}

interface PlannedChange {
  /** Reads the state before the change, and omits resources that do not exist. */
  read(): Promise<readonly OldState[]>;
  /** Finds the state after the change, if it was not known before. Returns undefined if nothing changed. */
  readonly findLeft?: (outcome: ForwardOutcome, entry: UndoEntry) => Promise<UndoEntry['left'] | undefined>;
}

/** The mark of a change whose result is not yet known. */
const unknownMark = { mark: '' };

async function planChange(
  session: Session,
  { kind, did }: SavedRoute,
  request: UndoRequest,
): Promise<PlannedChange> {
  const { facts } = request;
  const { namespace: namespaceId = '', bucket = '', zone: zoneId = '', name = '' } = facts;
  // The id comes from the path, because `name` can be a new name from the body.
  const id = facts.path.split('/').at(-1) ?? '';
  const left = did === 'deleted' ? 'nothing' : unknownMark;
  switch (kind) {
    case 'value': {
      const mark = did === 'deleted' ? left : { mark: await findNewMark(request) };
      return {
        async read() {
          const [key] = possibleKeys([name]);
          const before = key === undefined ? undefined : await readKey(session, namespaceId, key);
          return before === undefined ? [] : [toOldValue(namespaceId, before, did, mark)];
        },
      };
    }
    case 'values': {
      const marks = readMarks(await readJsonList(request), did);
      if (did === 'deleted') checkBatchSize('value', marks.size, 0);
      return {
        async read() {
          const keys = possibleKeys([...marks.keys()]);
          const before = await readOldValues(session, namespaceId, keys).catch(ifMissing);
          return [...(before ?? [])].map(([key, whole]) =>
            toOldValue(namespaceId, whole, did, marks.get(key) ?? left),
          );
        },
      };
    }
    case 'object':
      return planObject(session, { bucket, key: checkName(name) }, did);
    case 'objects': {
      const keys = [...new Set(request.keys ?? (await readJsonList(request)).map(readDeletedKey))];
      checkBatchSize('object', keys.length, 0);
      return { read: () => readObjects(session, bucket, keys.map(checkName)) };
    }
    case 'hostname':
      return planHostname(session, zoneId, id, did);
    case 'fallback-origin':
      return {
        async read() {
          const before = await readFallbackOrigin(session, zoneId);
          if (before === undefined) return [];
          return [{ did, thing: { kind, zoneId, origin: before.origin }, left, bytes: noBytes }];
        },
        ...(did === 'replaced' && {
          async findLeft(_, { thing }) {
            const now = await readFallbackOrigin(session, zoneId);
            const isSame = thing.kind === 'fallback-origin' && now?.origin === thing.origin;
            return isSame ? undefined : now === undefined ? 'nothing' : { mark: now.origin };
          },
        }),
      };
    case 'dns-record':
      return {
        async read() {
          const before = await readZoneRecord(session, zoneId, id).catch(ifMissing);
          if (before === undefined) return [];
          return [{ did, thing: await readSavedRecord(session, zoneId, before), left, bytes: noBytes }];
        },
        ...(did === 'replaced' && {
          findLeft: async () => ({ mark: (await readZoneRecord(session, zoneId, id)).content }),
        }),
      };
  }
}

function planObject(
  session: Session,
  address: { readonly bucket: string; readonly key: string },
  did: Did,
): PlannedChange {
  const left = did === 'deleted' ? 'nothing' : unknownMark;
  return {
    async read() {
      const state = await readOldObject(
        session,
        address,
        did,
        async () => left,
        refuseTooLarge(address.key),
      ).catch(ifMissing);
      return state === undefined ? [] : [state];
    },
    ...(did === 'replaced' && {
      async findLeft({ etag }) {
        const now = etag ?? (await readObjectEntry(session, address))?.etag;
        return now === undefined ? 'nothing' : { mark: now };
      },
    }),
  };
}

async function readObjects(session: Session, bucket: string, keys: readonly string[]): Promise<OldState[]> {
  let bytes = 0;
  const states = await inParallel(keys, async (key) => {
    const { read } = planObject(session, { bucket, key }, 'deleted');
    const found = await read();
    for (const state of found) bytes += state.bytes.length;
    checkBatchSize('object', 1, bytes);
    return found;
  });
  return states.flat();
}

function planHostname(session: Session, zoneId: string, id: string, did: Did): PlannedChange {
  return {
    async read() {
      const before = await readHostname(session, zoneId, id).catch(ifMissing);
      if (before === undefined) return [];
      const left = did === 'deleted' ? 'nothing' : unknownMark;
      return [{ did, thing: toSavedSettings(zoneId, before), left, bytes: noBytes }];
    },
    ...(did === 'replaced' && {
      async findLeft(_, { thing }) {
        const now = await readHostname(session, zoneId, id);
        const isSame = thing.kind === 'hostname' && !hasOtherSettings(thing, now);
        return isSame ? undefined : { mark: JSON.stringify(toSavedSettings(zoneId, now)) };
      },
    }),
  };
}

/** The result of saving if there was nothing to save. */
const unsaved: SavedChange = { finish: async () => undefined, drop: async () => undefined };

/**
 * Completes an entry. Removes the entry if the platform refused the request or nothing changed, and leaves the entry unchanged if the
 * result is unknown.
 */
async function finishEntry(
  journal: Journal,
  entry: UndoEntry,
  { findLeft }: PlannedChange,
  outcome: ForwardOutcome,
): Promise<void> {
  const { status = 0 } = outcome;
  try {
    if (status >= 400 && status < 500) return await journal.remove(entry);
    if (findLeft === undefined || status < 200 || status >= 300) return;
    const left = await findLeft(outcome, entry);
    await (left === undefined ? journal.remove(entry) : journal.setLeft(entry, left));
  } catch {
    // The entry is kept, with an unknown mark: restoring it will require a confirmation.
  }
}

/** Returns undefined for the platform's error about a missing resource; throws other errors. */
function ifMissing(error: unknown): undefined {
  if (isProblem(error) && error.code === 'not-found') return undefined;
  throw error;
}

function refuseTooLarge(key: string): (size: number) => never {
  return (size) => {
    const [has, limit] = [size, undoLimits.entryBytes].map((bytes) => formatSize(bytes));
    throw new Problem(
      'refused',
      `Undo can save objects of up to ${limit}, but the size of "${key}" is ${has}.`,
    );
  };
}

/** Returns the keys that can exist: the platform refuses or ignores other keys. */
function possibleKeys(names: readonly string[]): string[] {
  return names.map(checkName).filter((name) => keyFault(name) === undefined);
}

/** Refuses an empty name, and a name with lone surrogates, which JSON can contain but UTF-8 cannot. */
function checkName(name: string): string {
  if (name !== '' && name.isWellFormed()) return name;
  throw new Problem('refused', 'Undo cannot save a resource whose name is not valid UTF-8.');
}

/** Refuses a path that is not valid UTF-8, because the facts contain such a name without decoding it. */
function checkPath(path: string): void {
  if (!isPercentEncodedUtf8(path))
    throw new Problem('refused', 'Undo cannot save a resource whose name is not valid UTF-8.');
}

/** Reads the body, which must be a JSON list that all parsers interpret identically: no property occurs twice. */
async function readJsonList({ headers, body }: UndoRequest): Promise<readonly unknown[]> {
  const bytes = await readWhole(body);
  const parsed = isPlainText(headers) ? parseBody(bytes, maxBodyBytes) : undefined;
  if (!Array.isArray(parsed?.value)) throw unreadableList();
  return parsed.value;
}

function unreadableList(): Problem {
  return new Problem('refused', 'The list in the body cannot be read.');
}

async function readWhole(body: Body | undefined): Promise<Uint8Array | undefined> {
  return readBody(openStream(body), maxBodyBytes).catch((error: unknown) => {
    if (error instanceof RangeError) return undefined;
    throw error;
  });
}

/** Returns a key that a request deletes. */
function readDeletedKey(item: unknown): string {
  if (typeof item === 'string') return item;
  throw unreadableList();
}

/** Returns the key of a value that a request writes. An item with a second spelling of the property is refused: some parsers accept it. */
function readWrittenKey(item: unknown): string {
  const key = pick(item, 'key');
  if (typeof key === 'string') return key;
  throw unreadableList();
}

/** Returns the state after the change, by key. If a key is listed more than once, the last entry counts. */
function readMarks(list: readonly unknown[], did: Did): Map<string, UndoEntry['left']> {
  return new Map(
    list.map((item): [string, UndoEntry['left']] =>
      did === 'deleted'
        ? [readDeletedKey(item), 'nothing']
        : [readWrittenKey(item), { mark: hashEntry(item) }],
    ),
  );
}

function hashEntry(item: unknown): string {
  const { value, base64 } = isObject(item) ? item : {};
  if (typeof value !== 'string') return unknownMark.mark;
  return hashValue(Buffer.from(value, base64 === true ? 'base64' : 'utf8'));
}

/**
 * Returns the SHA-256 of the value that a request writes: of its body, or of the value in a form. Returns an empty string if the value
 * cannot be read.
 */
async function findNewMark({ headers, body }: UndoRequest): Promise<string> {
  const bytes = await readWhole(body);
  if (bytes === undefined || headers['content-encoding'] !== undefined) return unknownMark.mark;
  const type = headers['content-type'];
  if (typeof type !== 'string' || !/^multipart\/form-data\b/i.test(type)) return hashValue(bytes);
  try {
    const form = await new Response(Buffer.from(bytes), { headers: { 'content-type': type } }).formData();
    const value = form.get('value');
    if (value === null) return unknownMark.mark;
    return hashValue(
      typeof value === 'string' ? Buffer.from(value) : new Uint8Array(await value.arrayBuffer()),
    );
  } catch {
    return unknownMark.mark;
  }
}
