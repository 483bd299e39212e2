import type { Auth } from '../../model/target.ts';
import type { PlatformCredentials } from '../../profiles/credentials.ts';
import type { Call, Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import type { SessionLock } from './lock.ts';
import { once } from './once.ts';
import { type S3Connection, type S3Platform, s3Over } from './s3.ts';
import { openServer, type Server, type SessionBudget } from './server.ts';
import type { Listener } from './session.ts';

/** A connection to a platform. */
export interface PlatformConnection {
  readonly server: Server;
  readonly lock: SessionLock | undefined;
  /** Sends calls with the sealed credentials of a locked profile; undefined if the profile is not locked. */
  readonly writer: Send | undefined;
}

/**
 * Connects to a platform. With a locked profile, the first write asks the user for the passphrase. If the profile has no separate
 * credentials for reading, the first read also asks for the passphrase.
 */
export async function openPlatform(
  world: World,
  { apiBaseUrl, auth, locked }: PlatformCredentials,
  listener: Listener,
  budget: SessionBudget,
): Promise<PlatformConnection> {
  const open = (own: Auth) => openServer(world, apiBaseUrl, own, listener, budget);
  if (locked === undefined) {
    // Only a locked profile can lack credentials.
    if (auth === undefined) throw new Error('no credentials');
    return { server: await open(auth), lock: undefined, writer: undefined };
  }
  const { openLock } = await import('./lock.ts');
  const lock = openLock(world, locked, apiBaseUrl, listener.askSecret);
  const reading = auth && (await open(auth));
  let writing: Server | undefined;
  const openWriting = once(async () => {
    writing = await open(await lock.unlock());
    return writing;
  });
  const writer: Send = async (call) => (await openWriting()).send(call);
  return {
    lock,
    writer,
    server: {
      send: (call) => (reading !== undefined && isRead(call) ? reading.send(call) : writer(call)),
      apiBaseUrl,
      retries: () => (reading?.retries() ?? 0) + (writing?.retries() ?? 0),
      requestsLeft: () => (writing ?? reading)?.requestsLeft(),
      close() {
        reading?.close();
        writing?.close();
      },
    },
  };
}

function isRead({ method, readsOnly }: Pick<Call, 'method' | 'readsOnly'>): boolean {
  return method === 'GET' || readsOnly === true;
}

/** Connects to the S3 API. A locked profile uses different access keys for reading and for writing. */
export function openS3(
  world: World,
  platform: Omit<S3Platform, 'auth'>,
  { auth, lock, writer }: Omit<PlatformConnection, 'server'> & Pick<PlatformCredentials, 'auth'>,
  listener: Listener,
): S3Connection {
  const known = auth && s3Over(world, { ...platform, auth: async () => auth }, listener);
  if (lock === undefined || writer === undefined) {
    if (known === undefined) throw new Error('no credentials');
    return known;
  }
  const written = s3Over(world, { ...platform, send: writer, auth: () => lock.unlock() }, listener);
  return {
    wrap: (send) => {
      const [reading, writing] = [known?.wrap(send), written.wrap(send)];
      return (call) => (reading !== undefined && isRead(call) ? reading : writing)(call);
    },
    access: (jurisdiction, purpose) =>
      (purpose === 'read' ? (known ?? written) : written).access(jurisdiction),
    retries: () => (known?.retries() ?? 0) + written.retries(),
    close() {
      known?.close();
      written.close();
    },
  };
}
