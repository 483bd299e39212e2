const word = /\s*((?:\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+)/gy;

/** Splits a line into words as a shell does: with quotes, backslashes, and $'…' with escapes. Throws for an unclosed quote. */
export function splitWords(line: string): string[] {
  return splitQuotedWords(line).map(unquote);
}

/** Returns the words of a line, including their quotes. Throws for an unclosed quote. */
export function splitQuotedWords(line: string): string[] {
  const matches = [...line.matchAll(word)];
  const last = matches.at(-1);
  const rest = line.slice(last === undefined ? 0 : last.index + last[0].length).trim();
  if (rest !== '') throw new Error(`unclosed quote: ${rest}`);
  return matches.map((match) => match[1] ?? '');
}

export function unquote(quoted: string): string {
  return quoted.replace(
    /\$'((?:[^'\\]|\\.)*)'|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, ansi?: string, single?: string, double?: string, escaped?: string) => {
      if (ansi !== undefined) return unescapeAnsi(ansi);
      return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '';
    },
  );
}

const ansiEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  e: '\u001b',
  '\\': '\\',
  "'": "'",
};

function unescapeAnsi(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gi,
    (_, byte?: string, unit?: string, one?: string) => {
      const code = byte ?? unit;
      return code === undefined
        ? (ansiEscapes[one ?? ''] ?? one ?? '')
        : String.fromCharCode(parseInt(code, 16));
    },
  );
}
