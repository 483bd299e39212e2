import { advanceSandboxClock, readSandboxClock, type SandboxClock } from '../../../services/sandbox/clock.ts';
import { withSandbox } from '../../../services/sandbox/dns.ts';
import { parseDuration } from '../../../text/time.ts';
import { command } from '../../parsing/command.ts';
import { chosenDir, sandboxDirFlag } from './choice.ts';

export const clockAdvanceCommand = command({
  arguments: { DURATION: { about: 'How far: 90, 90s, 90m, 7d, 1h30m' } },
  flags: sandboxDirFlag,
  examples: [['sandbox clock advance 7d', 'see what a week does to custom hostnames']],
  notes: [
    'Zones, holds and custom hostnames live by this clock. Keys and objects do not. It never goes back but by a reset.',
  ],
  async run({ world, output }, { args, flags }) {
    const seconds = parseDuration(args.DURATION);
    const clock = await withSandbox(world, chosenDir(flags), output, (send) =>
      advanceSandboxClock(send, seconds),
    );
    await output.result(sentenceOf(clock), clock);
  },
});

export const clockShowCommand = command({
  arguments: {},
  flags: sandboxDirFlag,
  examples: [['sandbox clock show', 'what time it is in the sandbox']],
  async run({ world, output }, { flags }) {
    const clock = await withSandbox(world, chosenDir(flags), output, readSandboxClock);
    await output.result(sentenceOf(clock), clock);
  },
});

function sentenceOf({ now, offsetSeconds }: SandboxClock): string {
  const ahead = offsetSeconds === 0 ? '' : `, ${offsetSeconds} s ahead of this machine`;
  return `The sandbox's clock shows ${now}${ahead}.`;
}
