import { parseXml, type XmlDocument, XmlElement, XmlText } from '@rgrove/parse-xml';

// The XML of the S3 API: elements and character data. Attributes are ignored. The parser does not support custom entities, so a small
// document cannot expand ("billion laughs"), and the parser opens no files or URLs (XXE).

/** An element: its text, and its child elements. */
export interface Xml {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Xml[];
}

/** Maximum depth of elements. API documents have only a few levels; the parser itself has no limit. */
const maxDepth = 16;
/** Maximum number of tags: enough for an upload of 10,000 parts with numbers, ETags and checksums. Parsing more tags would take seconds. */
const maxTags = 200_000;

/** Parses a document and returns its root element; undefined if the document is not XML, is too deep, or has too many tags. */
export function parseDocument(text: string): Xml | undefined {
  if (isTooLarge(text)) return undefined;
  try {
    const { root }: XmlDocument = parseXml(text);
    return root === null ? undefined : toXml(root);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a document has too many tags, or elements that are nested too deeply. Tags are counted without recursion, before the
 * document is parsed.
 */
function isTooLarge(text: string): boolean {
  let depth = 0;
  let tags = 0;
  for (const [tag] of text.matchAll(/<(?:\/|[^!?/>][^>]*>?)/g)) {
    tags += 1;
    if (tag === '</') depth -= 1;
    else if (!tag.endsWith('/>')) depth += 1;
    if (depth > maxDepth || tags > maxTags) return true;
  }
  return false;
}

function toXml(element: XmlElement): Xml {
  const texts = element.children.filter((child) => child instanceof XmlText);
  const elements = element.children.filter((child) => child instanceof XmlElement);
  // Drops the namespace prefix, such as `s3:` in `s3:Key`.
  const name = element.name.replace(/^.*:/, '');
  return { name, text: texts.map(({ text }) => text).join(''), children: elements.map(toXml) };
}

/** Returns the child elements with this name. */
export function listChildren(xml: Xml | undefined, name: string): readonly Xml[] {
  return xml?.children.filter((child) => child.name === name) ?? [];
}

/** Returns the text of the first child element with this name. */
export function textIn(xml: Xml | undefined, name: string): string | undefined {
  return listChildren(xml, name)[0]?.text;
}

/** The content of an element: a string, elements by name, or an array of repeated elements. Undefined values are omitted. */
export type XmlContent =
  | string
  | number
  | boolean
  | undefined
  | { readonly [name: string]: XmlContent | readonly XmlContent[] };

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Formats an API document. Errors have no XML namespace. */
export function formatDocument(name: string, content: XmlContent): string {
  const attribute = name === 'Error' ? '' : ` xmlns="${namespace}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${attribute}>${contentText(content)}</${name}>`;
}

function contentText(content: XmlContent): string {
  if (content === undefined) return '';
  if (typeof content !== 'object') return escaped(String(content));
  return Object.entries(content)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((item) => [name, item] as const))
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => `<${name}>${contentText(item)}</${name}>`)
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes control characters as S3 does, as character references. XML 1.0 forbids these references, but most parsers accept them. */
function escaped(text: string): string {
  return text.replace(
    /[&<>"\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g,
    (character) => entities[character] ?? `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`,
  );
}
