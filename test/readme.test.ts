import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keymapRows } from '../components/keymap/keymap.ts';
import { commandTable } from '../src/cli/commands/table.ts';
import { environmentVariables } from '../src/cli/output/environment.ts';
import { exitCodeMeanings } from '../src/cli/output/exit-codes.ts';
import { flagLabel, usage } from '../src/cli/output/help.ts';
import { globalFlags } from '../src/cli/parsing/flags.ts';
import { exitCodes } from '../src/model/problem.ts';

/** Tables of README.md that come from declarations. `UPDATE_README=1 npx vitest run test/readme.test.ts` writes them. */
const tables: Readonly<Record<string, () => Promise<string> | string>> = {
  commands: commandRows,
  flags: () =>
    table(
      ['flag', 'meaning'],
      Object.entries(globalFlags).map(([name, flag]) => [code(flagLabel(name, flag).trim()), flag.about]),
    ),
  'exit codes': () =>
    table(
      ['code', 'meaning'],
      exitCodeMeanings.map(([number, about]) => [String(number), about]),
    ),
  environment: () =>
    table(
      ['variable', 'meaning'],
      environmentVariables.map(([name, about]) => [code(name), about]),
    ),
  keys: () =>
    table(
      ['pane', 'key', 'does'],
      keymapRows().map(({ pane, presses, about }) => [pane, presses.map(code).join(' '), about]),
    ),
};

async function commandRows(): Promise<string> {
  const rows = await Promise.all(
    commandTable.map(async (row) => {
      const body = await row.load();
      const flags = Object.entries(body.flags).filter(([, flag]) => flag.hidden !== true);
      const names = flags.map(([name, flag]) => code(flagLabel(name, flag).trim())).join(' ');
      return [
        code(usage(row, body).replace(' [flags]', '')),
        row.asks ? `${row.about} (asks)` : row.about,
        names,
      ];
    }),
  );
  return table(['command', 'does', 'flags of its own'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

test.each(Object.keys(tables))('the table of %s in README.md is what the program declares', async (name) => {
  const readme = readFileSync('README.md', 'utf8');
  const section = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  const wanted = `${await tables[name]?.()}\n`;
  if (process.env['UPDATE_README'] === '1') {
    writeFileSync(
      'README.md',
      readme.replace(section, (_, open, close) => `${open}${wanted}${close}`),
    );
    return;
  }
  const found = section.exec(readme)?.[0].split('\n').slice(1, -1).join('\n');
  expect(`${found}\n`).toBe(wanted);
});

test('every exit code of a Problem is explained', () => {
  const explained = exitCodeMeanings.map(([number]) => number);
  for (const number of Object.values(exitCodes)) expect(explained).toContain(number);
});
