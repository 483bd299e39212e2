import process from 'node:process';
import { afterEach, expect, test } from 'vitest';
import { sampleCases } from '../support/in-part.ts';
import { program, userEnvironment } from '../support/program.ts';
import { closePtys, openPty } from '../support/pty.ts';
import { newPerson } from '../support/run-command.ts';

afterEach(closePtys);

const sizes = [
  [120, 40],
  [80, 24],
  [40, 12],
] as const;

test.each(sampleCases(sizes, 3))(
  'opens the demo on Home at %ix%i, and opens and leaves every pane',
  async (columns, rows) => {
    const { cwd } = newPerson();
    const options = { cwd, env: userEnvironment(cwd), columns, rows };
    const { screen, press, ended } = openPty(process.execPath, [program, 'demo'], options);
    await screen.waitFor('menu.sushi');
    expect(screen.lines()[1]).toMatch(/^0 Home {2}1/);
    press(':', ...'kv/shop-CATALOGUE/index.json', 'enter');
    // Waits for the value, because the palette also shows the name of the key.
    await screen.waitFor('"products"');
    press('[');
    await screen.waitFor((shown) => /^0 Home/.test(shown.lines()[1] ?? ''));
    press(']');
    await screen.waitFor('"products"');
    press('1');
    await screen.waitFor((shown) => /^(?:0 Home {2})?1 Namespaces/.test(shown.lines()[1] ?? ''));
    press('q');
    expect(await ended).toEqual({ code: 0, signal: 0 });
  },
);
