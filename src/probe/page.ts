const patterns: readonly RegExp[] = [
  /\berror(?:\s+code)?\s*:?\s*(1[0-2]\d\d)\b/i,
  /class="[^"]*error-code[^"]*"[^>]*>\s*(?:error\s*)?(1[0-2]\d\d)\s*</i,
];

/** The platform's own error number on one of its error pages (1001, 1014, 1016 …), or undefined. */
export function pageCode(status: number, body: string): number | undefined {
  if (status < 400) return undefined;
  const found = patterns.map((pattern) => pattern.exec(body)?.[1]).find((code) => code !== undefined);
  return found === undefined ? undefined : Number(found);
}
