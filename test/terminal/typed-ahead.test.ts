import process from 'node:process';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { sampleCases } from '../support/in-part.ts';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import { buildProgram, programEnvironment } from './build-program.ts';

let program = '';

beforeAll(async () => {
  program = await buildProgram();
});

afterEach(closePtys);

/** Opens the console on the keys of a namespace on a real terminal, with the first key selected. */
async function openKeys(): Promise<Pty> {
  const options = JSON.stringify({ entries: ['a', 'b', 'c'].map((key) => [key, 'x']) });
  const pty = openPty(process.execPath, [program, options], {
    columns: 80,
    rows: 24,
    env: programEnvironment,
  });
  await pty.screen.waitFor('sessions');
  pty.press('enter');
  await pty.screen.waitFor((screen) => screen.selected()?.startsWith('a') ?? false);
  return pty;
}

const typed = [
  ['dy', 'one write'],
  ['dyyyyyyy', 'a key held'],
  ['d\u001b[B\r', 'arrow and Enter'],
] as const;

test.each(sampleCases(typed, 2))(
  'opens a question for %j in one write, and does not answer the question (%s)',
  async (typed) => {
    const { screen, send, press } = await openKeys();
    send(typed);
    await screen.waitFor('Delete the key a?');
    await screen.waitFor('> No, change nothing');
    press('n');
    await screen.waitFor((drawn) => !drawn.text().includes('Delete the key'));
    expect(screen.text()).toMatch(/3 keys/);
    press('d');
    await screen.waitFor('> No, change nothing');
    press('y');
    await screen.waitFor('Deleted a.');
  },
);

test('does not answer a question with a paste, and closes the question on an Esc typed before it opened', async () => {
  const { screen, send, press } = await openKeys();
  press('d');
  await screen.waitFor('Delete the key a?');
  send('\u001b[200~y\r\u001b[201~');
  send('\u001b');
  await screen.waitFor((drawn) => !drawn.text().includes('Delete the key'));
  send('d\u001b[27u');
  send('j');
  await screen.waitFor((drawn) => drawn.selected()?.startsWith('b') ?? false);
  expect(screen.text()).toMatch(/3 keys/);
  expect(screen.text()).not.toContain('Delete the key');
});

test("does not pass the terminal's response for a question that was closed immediately to the shell", async () => {
  const options = JSON.stringify({ entries: [['a', 'x']] });
  const shell =
    'node "$0" "$1"; echo "left with $?"; IFS= read -r line; printf "got <%s>\\n" "$line" | cat -v';
  // The latency of a server on another continent.
  const answer = (give: () => void) => void setTimeout(give, 100);
  const { screen, send, press } = openPty('sh', ['-c', shell, program, options], {
    env: programEnvironment,
    answer,
  });
  await screen.waitFor('sessions');
  press('enter');
  await screen.waitFor((drawn) => drawn.selected()?.startsWith('a') ?? false);
  send('d\u001b[27uq');
  await screen.waitFor('left with 0');
  send('typed\r');
  await screen.waitFor('got <');
  expect(screen.text()).toContain('got <typed>');
});
