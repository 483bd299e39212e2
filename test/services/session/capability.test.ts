import { expect, test } from 'vitest';
import { keymap } from '../../../components/app/keymap.ts';
import { findShortcut } from '../../../components/kit/keys/find-shortcut.ts';
import type { Mode } from '../../../components/kit/keys/modes.ts';
import { type Capability, listCapabilities, refusalMessage } from '../../../src/model/capability.ts';
import { createNamespace, renameNamespace } from '../../../src/services/kv/namespaces.ts';
import { createBucket } from '../../../src/services/objects/buckets.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { testWorld } from '../../support/world.ts';

interface Case {
  readonly capability: Capability;
  ask(session: Session): Promise<unknown>;
  /** The shortcut of the console that offers the operation. */
  readonly shortcut: readonly [Mode, Parameters<typeof findShortcut>[1]];
}

const cases: readonly Case[] = [
  {
    capability: 'listNamespaces',
    ask: (session) => createNamespace(session, 'sessions'),
    shortcut: ['namespaces', 'n'],
  },
  {
    capability: 'renameNamespaces',
    ask: (session) => renameNamespace(session, 'a'.repeat(32), 'sessions'),
    shortcut: ['namespaces', 'e'],
  },
  {
    capability: 'createBuckets',
    ask: (session) => createBucket(session, 'assets'),
    shortcut: ['buckets', 'n'],
  },
];

test.each(cases)('commands and console refuse $capability with the same message', async (one) => {
  const session = await openSession(testWorld(), { ...plainChoice, local: true }, { note: () => undefined });
  const words = refusalMessage(one.capability);
  await expect(one.ask(session)).rejects.toMatchObject({ code: 'usage', message: `${words}.` });
  const { can } = session;
  const unless = findShortcut(...one.shortcut, keymap)?.unless;
  expect(unless?.({ readOnly: false, selected: true, can })).toBe(words);
  expect(unless?.({ readOnly: false, selected: true, can: listCapabilities({ kind: 'remote' }) })).toBe(
    false,
  );
  await session.close();
});
