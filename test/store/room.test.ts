import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isTight, Room } from '../../src/store/room.ts';
import { scratchFolder } from '../support/world.ts';

const MiB = 1024 * 1024;

test('reserves space for deletes on a nearly full disk, and frees that space for deletes on a full disk', () => {
  const folder = scratchFolder('room');
  const reserve = join(folder, 'reserve');
  let free = 300 * MiB;
  const open = () => new Room(folder, randomBytes, () => free);
  open().enter('change');
  expect(existsSync(reserve)).toBe(false);
  free = 50 * MiB;
  open().enter('change');
  expect(statSync(reserve)).toMatchObject({ size: 2 * MiB });
  expect(statSync(reserve).mode & 0o777).toBe(0o600);
  free = 1000;
  const room = open();
  expect(() => room.enter('change')).toThrow(expect.objectContaining({ code: 'store-invalid' }));
  expect(existsSync(reserve)).toBe(true);
  room.enter('destroy');
  expect(existsSync(reserve)).toBe(false);
  // Other operations must not use the space freed for deletes.
  free = 1.5 * MiB;
  expect(() => room.enter('change')).toThrow('the disk is full');
  room.enter('destroy');
  free = 3 * MiB;
  room.leave();
  expect(existsSync(reserve)).toBe(true);
  free = 300 * MiB;
  const later = open();
  later.enter('read');
  later.leave();
  expect(existsSync(reserve)).toBe(false);
});

test.each([
  // Each row: free bytes, whether the reserve exists before and after, and whether a change is rejected.
  [64 * MiB, false, false, false],
  [64 * MiB - 1, false, true, false],
  [4 * MiB, false, true, false],
  [4 * MiB - 1, false, false, false],
  [2.5 * MiB, false, false, false],
  [2.5 * MiB - 1, false, false, true],
  [64 * MiB, true, true, false],
  [0.5 * MiB, true, true, false],
  [0.5 * MiB - 1, true, true, true],
])(
  'with %i free bytes (reserve: %s), finds the reserve %s and rejects a change: %s',
  (free, before, after, isRefused) => {
    const folder = scratchFolder('room');
    const reserve = join(folder, 'reserve');
    if (before) writeFileSync(reserve, '');
    const room = new Room(folder, randomBytes, () => free);
    let refused: unknown;
    try {
      room.enter('change');
    } catch (error) {
      refused = error;
    }
    expect([existsSync(reserve), refused !== undefined]).toEqual([after, isRefused]);
    if (refused !== undefined)
      expect(refused).toMatchObject({ code: 'store-invalid', hint: expect.any(String) });
    // Calls that free space get the reserve only if a change would be rejected.
    room.enter('destroy');
    expect(existsSync(reserve)).toBe(after && !isRefused);
  },
);

test.each([
  [64 * MiB, true, false],
  [64 * MiB - 1, true, true],
  [64 * MiB, false, false],
  [64 * MiB - 1, false, true],
  [2 * MiB, false, true],
  [2 * MiB - 1, false, false],
  [undefined, true, true],
  [undefined, false, false],
])(
  'on closing with %s free bytes and the reserve present (%s), keeps or creates the reserve: %s',
  (free, before, after) => {
    const folder = scratchFolder('room');
    const reserve = join(folder, 'reserve');
    if (before) writeFileSync(reserve, '');
    let now: number | undefined;
    const room = new Room(folder, randomBytes, () => now);
    room.enter('change');
    now = free;
    room.leave();
    expect(existsSync(reserve)).toBe(after);
    // A second call of `leave` works without `enter`.
    if (before !== after) {
      if (after) rmSync(reserve);
      else writeFileSync(reserve, '');
      room.leave();
      expect(existsSync(reserve)).toBe(!after);
    }
  },
);

test('measures the disk once for reads, and does not create a missing folder', () => {
  const folder = join(scratchFolder('room'), 'missing');
  let measured = 0;
  const room = new Room(folder, randomBytes, () => {
    measured += 1;
    return 10 * MiB;
  });
  for (const effect of ['read', 'read', 'destroy', 'read'] as const) room.enter(effect);
  expect(measured).toBe(2);
  room.leave();
  room.enter('read');
  expect(measured).toBe(4);
  expect(existsSync(folder)).toBe(false);
});

test('deletes a reserve that cannot be filled, and rejects nothing because of it', () => {
  const folder = scratchFolder('room');
  const failing = () => {
    throw new Error('no room');
  };
  new Room(folder, failing, () => 50 * MiB).enter('change');
  expect(existsSync(join(folder, 'reserve'))).toBe(false);
});

// A file system without blocks, such as /proc, reports no free space.
test.runIf(process.platform === 'linux')('reports unknown free space on a file system without a size', () => {
  expect([statfsSync('/proc').blocks, isTight('/proc')]).toEqual([0, false]);
});

test('reports the free space of its parent for a missing folder', () => {
  const folder = join(scratchFolder('room'), 'missing', 'too');
  const { bavail, bsize } = statfsSync(dirname(dirname(folder)));
  expect(isTight(folder)).toBe(bavail * bsize < 16 * MiB);
});
