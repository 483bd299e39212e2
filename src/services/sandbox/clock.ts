import * as v from 'valibot';
import type { clock } from '../../model/sandbox/sandbox-shape.ts';
import type { ValueOf } from '../../model/shape.ts';
import { callResult } from '../../v4/client.ts';
import type { Send } from '../../v4/send.ts';
import { changing, reading } from '../hostnames/calls.ts';

/** The sandbox's clock. `now` is in RFC 3339 format. */
export type SandboxClock = ValueOf<typeof clock>;

const shape = v.object({ now: v.string(), offset_seconds: v.number() });
const path = ['sandbox', 'clock'];

function parseClock(value: unknown): SandboxClock {
  const { now, offset_seconds: offsetSeconds } = v.parse(shape, value);
  return { now, offsetSeconds };
}

export async function readSandboxClock(send: Send): Promise<SandboxClock> {
  return (await callResult(send, reading(path), parseClock)).result;
}

/** Advances the sandbox's clock, and applies the changes that custom hostnames undergo in that time. */
export async function advanceSandboxClock(send: Send, seconds: number): Promise<SandboxClock> {
  return (await callResult(send, changing('POST', path, { seconds }), parseClock)).result;
}
