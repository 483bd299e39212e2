import { Problem } from '../../../model/problem.ts';
import { maxAdvanceSeconds } from '../../../model/sandbox/clock.ts';
import { advanceSandboxClock, readSandboxClock, type SandboxClock } from '../../../services/sandbox/clock.ts';
import { withSandbox } from '../../../services/sandbox/dns.ts';
import { parseDuration } from '../../../text/time.ts';
import { command } from '../../parsing/command.ts';
import { chosenDir } from './choice.ts';
import type * as declared from './declarations.ts';

export const clockAdvanceCommand = command<typeof declared.clockAdvance>({
  async run({ world, output, dryRun }, { args, flags }) {
    const seconds = parseDuration(args.DURATION);
    if (seconds > maxAdvanceSeconds) {
      const maxText = `${maxAdvanceSeconds / 86_400}d`;
      throw new Problem(
        'usage',
        `DURATION must be at most ${maxText} (a hundred years), not ${args.DURATION}.`,
      );
    }
    dryRun?.end('the sandbox', [{ does: 'advance', what: `the clock by ${seconds} s` }]);
    const clock = await withSandbox(world, chosenDir(flags), output, (send) =>
      advanceSandboxClock(send, seconds),
    );
    await output.result(formatClock(clock), clock);
  },
});

export const clockShowCommand = command<typeof declared.clockShow>({
  async run({ world, output }, { flags }) {
    const clock = await withSandbox(world, chosenDir(flags), output, readSandboxClock);
    await output.result(formatClock(clock), clock);
  },
});

function formatClock({ now, offsetSeconds }: SandboxClock): string {
  const ahead = offsetSeconds === 0 ? '' : `, ${offsetSeconds} s ahead of this machine`;
  return `The sandbox's clock shows ${now}${ahead}.`;
}
