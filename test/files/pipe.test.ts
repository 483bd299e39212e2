import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directOutput } from '../../src/files/pipe.ts';
import { scratchFolder } from '../support/world.ts';

function openPipe(): { reader: number; writer: number } {
  const path = join(scratchFolder('pipe'), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(path, 'w') };
}

function readFrom(fd: number): string {
  const bytes = Buffer.alloc(100_000);
  return bytes.toString('utf8', 0, readSync(fd, bytes));
}

const hello = Buffer.from('hello');

test('writes a short string to a pipe directly until a stream is used, and a long string through the stream', () => {
  const { reader, writer } = openPipe();
  let isOpen = true;
  const direct = directOutput(writer, () => isOpen);
  expect(direct?.(hello)).toBe(5);
  expect(readFrom(reader)).toBe('hello');
  expect(direct?.(Buffer.alloc(5000))).toBe(0);
  isOpen = false;
  expect(direct?.(hello)).toBe(0);
  closeSync(reader);
  closeSync(writer);
});

test('passes output to the stream without waiting if the pipe is full or has no reader', () => {
  const { reader, writer } = openPipe();
  const filler = openSync(`/proc/self/fd/${writer}`, constants.O_WRONLY | constants.O_NONBLOCK);
  const fill = () => {
    for (;;) writeSync(filler, Buffer.alloc(4096));
  };
  expect(fill).toThrow('EAGAIN');
  const direct = directOutput(writer, () => true);
  expect(direct?.(hello)).toBe(0);
  readFrom(reader);
  expect(direct?.(hello)).toBe(5);
  closeSync(reader);
  expect(direct?.(hello)).toBe(0);
  closeSync(filler);
  closeSync(writer);
});

test('appends a short string to a file directly; writes to a device or a closed output only through the stream', () => {
  const path = join(scratchFolder('pipe'), 'file');
  const file = openSync(path, 'a');
  writeSync(file, 'oh, ');
  expect(directOutput(file, () => true)?.(hello)).toBe(5);
  closeSync(file);
  expect(readFileSync(path, 'utf8')).toBe('oh, hello');
  const device = openSync('/dev/null', 'w');
  expect(directOutput(device, () => true)).toBeUndefined();
  closeSync(device);
  expect(directOutput(9999, () => true)).toBeUndefined();
});
