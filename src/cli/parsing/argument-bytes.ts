import { Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';

/**
 * Refuses arguments that are no UTF-8: another text would be stored in their place, with U+FFFD for each wrong byte. One
 * that was typed with U+FFFD in it is taken. Where the system does not tell the bytes, all are.
 */
export async function refuseOtherBytes({ argv, argvBytes }: World): Promise<void> {
  const all = (await argvBytes?.().catch(() => undefined)) ?? [];
  const bytes = all.slice(-argv.length);
  if (bytes.length !== argv.length) return;
  const wrong = argv.findIndex(
    (argument, at) => !Buffer.from(argument).equals(bytes[at] ?? new Uint8Array()),
  );
  if (wrong === -1) return;
  throw new Problem('usage', `Argument ${wrong + 1} is not UTF-8 text: ${firstWrong(argv[wrong] ?? '')}.`, {
    hint: 'A value that is no text goes into a file or a pipe: --path FILE, or --path - for standard input.',
  });
}

function firstWrong(argument: string): string {
  return `its character ${[...argument].indexOf('\ufffd') + 1} is none`;
}
