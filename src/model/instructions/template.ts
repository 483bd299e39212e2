import { Problem } from '../problem.ts';

/** The operator's template at DNS providers. A provider enters the template's records after the customer agrees. */
export interface DnsTemplate {
  readonly provider: string;
  readonly service: string;
}

/** The format of a template argument, for usage messages. */
export const templateForm = 'PROVIDER/SERVICE';

const templatePattern = /^([a-z0-9][a-z0-9._-]{0,99})\/([a-z0-9][a-z0-9._-]{0,99})$/i;

/** Returns whether a string has the format of a template argument. */
export function isTemplateName(text: string): boolean {
  return templatePattern.test(text);
}

/** Parses a template argument such as `example.com/hostnames`. Throws `usage` for an invalid string. */
export function templateNamed(text: string): DnsTemplate {
  const [, provider, service] = templatePattern.exec(text) ?? [];
  if (provider !== undefined && service !== undefined) return { provider, service };
  throw new Problem('usage', `"${text}" is not a Domain Connect template.`, {
    hint: `Write ${templateForm}, with the published ids of the template, such as example.com/hostnames.`,
  });
}
