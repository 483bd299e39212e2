import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeText } from '../../src/text/escape.ts';
import { commandLine, shellWord } from '../../src/text/shell.ts';

function getWords(line: string): string[] {
  const ran = spawnSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  return ran.stdout.split('\0').slice(0, -1);
}

test('keeps plain words, and quotes all other words', () => {
  expect(commandLine(['hostname', 'edit', 'shop.acme.com', '--ca', 'default'])).toBe(
    'edgectl hostname edit shop.acme.com --ca default',
  );
  expect(shellWord('<a target>')).toBe("'<a target>'");
});

test('quotes any word so that a shell reads it unchanged, and as one word after escaping for a terminal', () => {
  const texts = fc.string({
    unit: fc.constantFrom(...`ab '"\\$;#\`(){}&|<>*~!\t\n`),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 30 }), (words) => {
      const quoted = words.map(shellWord);
      const escaped = quoted.map((word) => escapeText(word));
      const given = [...words, ...words.map((word) => escapeText(word))];
      expect(getWords([...quoted, ...escaped].join(' '))).toEqual(given);
    }),
    { numRuns: 20 },
  );
});
