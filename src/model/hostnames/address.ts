import { hostnameRefusal } from './fault.ts';

const withScheme = /^(?:https?:)?\/\//i;

/** A name with a path, a query or a port behind it. */
const withRest = /^[^\s/?#:@]+(?:[/?#]|:\d)/;

/**
 * The hostname in an address that stands where a hostname belongs, as a browser's address line gives it; undefined where the text is
 * no address, or one without a hostname that can be a custom one.
 */
export function hostnameInAddress(text: string): string | undefined {
  const isSchemed = withScheme.test(text);
  if (!isSchemed && !withRest.test(text)) return undefined;
  const address = `https://${text.replace(withScheme, '')}`;
  if (!URL.canParse(address)) return undefined;
  const name = new URL(address).hostname.replace(/\.$/, '');
  return hostnameRefusal(name) === undefined ? name : undefined;
}
