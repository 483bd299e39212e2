const secretParameter = /token|secret|password|signature|credential|(?:^|[-_])(?:key|sig|auth)$|apikey/i;

const redacted = '[redacted]';

/** Returns a URL, or a path with its query, for `--debug`. The user, the password and secret parameters are replaced. */
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

/** A function that replaces secrets in a string. */
export type Redact = (text: string) => string;

/**
 * Minimum length of a secret that is replaced. A shorter string may be an ordinary word, whose replacement would make messages unreadable,
 * and no platform has secrets that short.
 */
const shortest = 8;

/**
 * Returns a function that replaces credentials in a string, in every form in which a server may repeat credentials. These forms are:
 * unchanged, percent-encoded, escaped as JSON or HTML, as base64 (alone or inside a longer string) or as hex, in upper or lower case. A
 * truncated credential is recognized by its start and the `…` that follows it.
 */
export function redactSecrets(secrets: readonly string[]): Redact {
  const long = secrets.filter((secret) => secret.length >= shortest);
  if (long.length === 0) return (text) => text;
  // Compiled on first use, because most commands print nothing from a server.
  let pattern: RegExp | undefined;
  const plain = long.flatMap(plainForms).map((form) => form.toLowerCase());
  return (text) => {
    // Checks for escapes and secrets first. Long output usually contains neither, and this check takes a tenth of the pattern's time.
    const lower = text.toLowerCase();
    const whole = withoutBeginnings(text, plain);
    if (!/[%\\]|&#/.test(text) && !plain.some((form) => lower.includes(form))) return whole;
    pattern ??= new RegExp(long.flatMap(listForms).join('|'), 'gi');
    return whole.replace(pattern, redacted);
  };
}

/** Replaces the beginnings of secrets before each `…`, where a string was cut. `forms` are in lower case. */
function withoutBeginnings(text: string, forms: readonly string[]): string {
  const [first = '', ...rest] = text.split('…').reverse();
  return rest.reduce((behind, piece) => `${withoutEnd(piece, forms)}…${behind}`, first);
}

function withoutEnd(piece: string, forms: readonly string[]): string {
  const lengths = forms.map((form) => {
    const end = piece.slice(-form.length).toLowerCase();
    for (let length = end.length; length >= shortest; length--)
      if (end.endsWith(form.slice(0, length))) return length;
    return 0;
  });
  const maxLength = Math.max(...lengths);
  return maxLength === 0 ? piece : piece.slice(0, -maxLength) + redacted;
}

/** Returns the forms of a secret that contain no escapes. */
function plainForms(secret: string): string[] {
  const urls = base64Forms(secret);
  const others = urls.map((text) => text.replaceAll('-', '+').replaceAll('_', '/'));
  return [secret, Buffer.from(secret).toString('hex'), ...urls, ...others];
}

function listForms(secret: string): string[] {
  const written = [secret, Buffer.from(secret).toString('hex')].map(toPattern);
  return [...written, ...base64Forms(secret).map((text) => `${toPattern(text)}[\\w+/-]?(?:=|%3D){0,2}`)];
}

/**
 * Returns the base64 forms of a secret that is preceded by zero, one or two other bytes, without the characters that also depend on
 * neighboring bytes.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    return bytes.toString('base64url').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

function toPattern(text: string): string {
  return [...text].map(characterPattern).join('');
}

/**
 * Returns a pattern that matches one character in each of its escaped forms. `-` and `_` also match `+` and `/`, which standard base64 uses
 * instead.
 */
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
