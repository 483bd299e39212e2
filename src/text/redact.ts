const secretParameter = /token|secret|password|signature|credential|(?:^|[-_])(?:key|sig|auth)$|apikey/i;

const redacted = '[redacted]';

/** An address or a path with its query for `--debug`: user, password and secret parameters are replaced. */
export function redactUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${redacted}@`)
    .replace(/([?&])([^=&#]*)=([^&#]*)/g, (whole, mark: string, name: string) =>
      secretParameter.test(plainName(name)) ? `${mark}${name}=${redacted}` : whole,
    );
}

function plainName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Takes what must not be shown out of a text. */
export type Redact = (text: string) => string;

/** Shorter ones are left alone: a word of the language would turn whole answers into stars, and no platform has any. */
const shortest = 8;

/**
 * Takes credentials out of a text, in whatever form a server may give them back: as they are, percent-encoded, escaped
 * as JSON or HTML, as base64 (on their own or inside of something longer) and as hex; in capitals and small letters.
 */
export function redactSecrets(secrets: readonly string[]): Redact {
  const long = secrets.filter((secret) => secret.length >= shortest);
  if (long.length === 0) return (text) => text;
  // Made at the first use: most commands say nothing that a server has said.
  let pattern: RegExp | undefined;
  return (text) => {
    pattern ??= new RegExp(long.flatMap(formsOf).join('|'), 'gi');
    return text.replace(pattern, redacted);
  };
}

function formsOf(secret: string): string[] {
  const written = [secret, Buffer.from(secret).toString('hex')].map((text) => patternOf(text));
  return [...written, ...[0, 1, 2].map((before) => base64Pattern(Buffer.from(secret), before))];
}

/** A secret in base64 with so many bytes before it, as far as its own bytes decide the characters. */
function base64Pattern(secret: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64url');
  const inner = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));
  return `${patternOf(inner)}[\\w+/-]?(?:=|%3D){0,2}`;
}

function patternOf(text: string): string {
  return [...text].map(characterPattern).join('');
}

/** One character in each of its escapes; `-` and `_` are `+` and `/` as well, which base64 has in their place. */
function characterPattern(character: string): string {
  const other = { '-': '+', _: '/' }[character];
  const forms = [character, ...(other === undefined ? [] : [other])].map((one) => {
    const code = one.charCodeAt(0);
    const hex = code.toString(16);
    const encoded = `\\x${hex}|%(?:25){0,3}${hex}|u00${hex}|x${hex}`;
    return `\\\\{0,8}(?:${encoded})|&#(?:0{0,8}${code}|x0{0,8}${hex});`;
  });
  return `(?:${forms.join('|')})`;
}
