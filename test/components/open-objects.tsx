import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HttpMetadata } from '../../src/model/objects/object.ts';
import { type ObjectService, objectService } from '../../src/services/console/objects.ts';
import { createBucket } from '../../src/services/objects/buckets.ts';
import { listObjects, readObject, writeObject } from '../../src/services/objects/objects.ts';
import { openSession } from '../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../src/services/session/session.ts';
import { readBody, type Send } from '../../src/v4/send.ts';
import { testWorld } from '../support/world.ts';
import { type ConsoleOptions, type OpenConsole, openConsole, testNow } from './open-console.tsx';

export interface ObjectsOptions extends ConsoleOptions {
  /** Replaces parts of the service. */
  change?(real: ObjectService): Partial<ObjectService>;
  /** Wraps the platform calls of tasks. */
  through?(send: Send): Send;
  /** Fills the platform (default: with the demo data). */
  stock?(platform: ObjectPlatform): Promise<void>;
}

/** The embedded platform in this process, with its own folder. */
export interface ObjectPlatform {
  readonly session: Session;
  /** Opens another session, as a task does. */
  open(): Promise<Session>;
  /** The working directory for uploads and downloads. */
  readonly folder: string;
  /** The folder of the platform's data. */
  readonly data: string;
  createBucket(name: string): Promise<void>;
  put(bucket: string, key: string, value: string | Uint8Array, more?: HttpMetadata): Promise<void>;
  get(bucket: string, key: string): Promise<string | undefined>;
  keys(bucket: string): Promise<string[]>;
  /** Creates a file below the working directory, including the folders on its path. */
  write(name: string, value: string | Uint8Array): void;
}

/** Opens a platform that is empty or contains the data of another platform. That other platform is closed. */
export async function openPlatform(data?: string): Promise<ObjectPlatform> {
  const world = testWorld({ now: () => testNow });
  if (data !== undefined) cpSync(data, world.folders.data, { recursive: true });
  const open = () => openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const session = await open();
  return {
    session,
    open,
    folder: world.cwd,
    data: world.folders.data,
    createBucket: async (name) => void (await createBucket(session, name)),
    async put(bucket, key, value, httpMetadata = {}) {
      const bytes = Buffer.from(value);
      const open = async function* () {
        yield bytes;
      };
      await writeObject(session, { bucket, key }, { size: bytes.length, open, httpMetadata });
    },
    async get(bucket, key) {
      const opened = await readObject(session, { bucket, key });
      return opened && Buffer.from(await readBody(opened.body)).toString('utf8');
    },
    async keys(bucket) {
      const keys: string[] = [];
      for await (const page of listObjects(session, bucket)) keys.push(...page.objects.map(({ key }) => key));
      return keys;
    },
    write(name, value) {
      mkdirSync(dirname(join(world.cwd, name)), { recursive: true });
      writeFileSync(join(world.cwd, name), value);
    },
  };
}

/** The first bytes of a PNG image of 640x480 pixels. */
export const pngHead = Buffer.from('89504e470d0a1a0a0000000d49484452000002800000' + '01e00802000000', 'hex');

/** Creates two buckets; `assets` has objects in two folders and three objects at the top level. */
export async function stockDemo({ createBucket, put }: ObjectPlatform): Promise<void> {
  await createBucket('assets');
  await createBucket('backups');
  await put('assets', 'img/logo.png', pngHead, { contentType: 'image/png' });
  await put('assets', 'img/icons/a.svg', '<svg/>', { contentType: 'image/svg+xml' });
  await put('assets', 'docs/a.txt', 'docs');
  await put('assets', 'hello.txt', 'hello there\nsecond line', { contentType: 'text/plain' });
  await put('assets', 'data.json', '{"name":"Ada","roles":["admin"]}', { contentType: 'application/json' });
  await put('assets', 'zero', '');
}

export interface OpenObjects extends OpenConsole {
  readonly platform: ObjectPlatform;
  /** The names of the functions of the service that were called, in order. */
  readonly asked: (keyof ObjectService)[];
}

/** Opens the console on the list of buckets. */
export async function openBuckets(options: ObjectsOptions = {}): Promise<OpenObjects> {
  const platform = await openPlatform();
  await (options.stock ?? stockDemo)(platform);
  const real = objectService(platform.session);
  const asked: (keyof ObjectService)[] = [];
  const objects = new Proxy<ObjectService>(
    { ...real, ...options.change?.(real) },
    {
      get(target, name: keyof ObjectService) {
        asked.push(name);
        return target[name];
      },
    },
  );
  const label = { target: 'production', ...options.label } as const;
  const through = options.through ?? ((send: Send) => send);
  const app = openConsole({
    ...options,
    label,
    services: { objects },
    cwd: platform.folder,
    async openSession() {
      const session = await platform.open();
      return { ...session, send: through(session.send) };
    },
  });
  await app.screen.waitFor('1 Namespaces');
  // Waits for the list itself, not only for its heading.
  await app.go(['2'], (screen) => /\d+ buckets?( |$)/.test(screen.head()));
  return { ...app, platform, asked };
}

/** Opens the console on the objects of `assets`. */
export async function openAssets(options: ObjectsOptions = {}): Promise<OpenObjects> {
  const app = await openBuckets(options);
  await app.go([], (screen) => screen.selected()?.includes('assets') ?? false);
  await app.go(['enter'], (screen) => {
    // The preview of a bucket has no headings.
    const isListed = / SIZE .*\.txt/s.test(screen.text());
    return isListed && /entries( |$)/.test(screen.head());
  });
  return app;
}
