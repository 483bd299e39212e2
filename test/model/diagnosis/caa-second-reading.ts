import type { CaaRecord } from '../../../src/model/dns/dns.ts';

/**
 * A second implementation of RFC 8659 and RFC 8657, character by character and without the code under test: it parses the grammar with a
 * cursor, and decides for a whole record set whether an issuer is allowed.
 */
class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get char(): string {
    return this.text.charAt(this.at);
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  blanks(): void {
    while (this.char === ' ' || this.char === '\t') this.at += 1;
  }

  take(wanted: string): boolean {
    if (this.char !== wanted || this.atEnd) return false;
    this.at += 1;
    return true;
  }

  /** label = (ALPHA / DIGIT) *( *("-") (ALPHA / DIGIT)) */
  label(): string {
    const from = this.at;
    if (!isAlphanumeric(this.char)) return '';
    for (;;) {
      let ahead = this.at;
      while (this.text.charAt(ahead) === '-') ahead += 1;
      if (ahead >= this.text.length || !isAlphanumeric(this.text.charAt(ahead))) break;
      this.at = ahead + 1;
    }
    return this.text.slice(from, this.at);
  }
}

function isAlphanumeric(char: string): boolean {
  const code = char.charCodeAt(0);
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

interface Grant {
  domain: string;
  parameters: Map<string, string[]>;
}

/** issue-value = *WSP [issuer-domain-name *WSP] [";" *WSP [parameters *WSP]] */
function readGrant(value: string): Grant | 'broken' {
  const cursor = new Cursor(value);
  const grant: Grant = { domain: '', parameters: new Map() };
  cursor.blanks();
  if (isAlphanumeric(cursor.char)) {
    grant.domain = cursor.label();
    while (cursor.take('.')) {
      const next = cursor.label();
      if (next === '') return 'broken';
      grant.domain += `.${next}`;
    }
    cursor.blanks();
  }
  if (cursor.atEnd) return grant;
  if (!cursor.take(';')) return 'broken';
  cursor.blanks();
  if (cursor.atEnd) return grant;
  return readParameters(cursor, grant);
}

function readParameters(cursor: Cursor, grant: Grant): Grant | 'broken' {
  for (;;) {
    const tag = cursor.label().toLowerCase();
    cursor.blanks();
    if (tag === '' || !cursor.take('=')) return 'broken';
    cursor.blanks();
    let value = '';
    while (!cursor.atEnd && cursor.char > ' ' && cursor.char <= '~' && cursor.char !== ';') {
      value += cursor.char;
      cursor.at += 1;
    }
    grant.parameters.set(tag, [...(grant.parameters.get(tag) ?? []), value]);
    cursor.blanks();
    if (cursor.atEnd) return grant;
    if (!cursor.take(';')) return 'broken';
    cursor.blanks();
  }
}

function grants(value: string, domain: string, methods: readonly string[]): boolean {
  const grant = readGrant(value);
  if (grant === 'broken' || grant.domain.toLowerCase() !== domain) return false;
  if (grant.parameters.has('accounturi')) return false;
  const lists = grant.parameters.get('validationmethods');
  if (lists === undefined) return true;
  return lists.length === 1 && methods.some((method) => `,${lists[0]},`.includes(`,${method},`));
}

/** Returns true if the relevant record set allows an issuer to issue a certificate for a plain (or a wildcard) name. */
export function mayIssue(
  records: readonly CaaRecord[],
  domain: string,
  wildcard: boolean,
  methods: readonly string[],
): boolean {
  const issue: string[] = [];
  const issueWild: string[] = [];
  for (const { flags, tag, value } of records) {
    const kind = tag.toLowerCase();
    if (kind === 'issue') issue.push(value);
    else if (kind === 'issuewild') issueWild.push(value);
    else if (kind !== 'iodef' && (flags >= 128 || flags % 2 === 1)) return false;
  }
  const asked = wildcard && issueWild.length > 0 ? issueWild : issue;
  return asked.length === 0 || asked.some((value) => grants(value, domain, methods));
}

/** The records of a name in an invented DNS. */
export interface Node {
  readonly alias?: string;
  readonly caa?: readonly CaaRecord[];
}

/** Returns the relevant record set (RelevantCAASet of RFC 8659, 3) in an invented DNS; undefined if a chain of aliases does not end. */
export function relevantSet(dns: ReadonlyMap<string, Node>, name: string): readonly CaaRecord[] | undefined {
  const labels = name.split('.');
  while (labels.length > 0) {
    let at = labels.join('.');
    let left = 17;
    while (dns.get(at)?.alias !== undefined) {
      left -= 1;
      if (left === 0) return undefined;
      at = dns.get(at)?.alias ?? '';
    }
    const found = dns.get(at)?.caa ?? [];
    if (found.length > 0) return found;
    labels.shift();
  }
  return [];
}
