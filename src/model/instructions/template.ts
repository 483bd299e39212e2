import { Problem } from '../problem.ts';

/** The operator's template at DNS providers: the records that they enter once the customer agrees. */
export interface DnsTemplate {
  readonly provider: string;
  readonly service: string;
}

/** The format of a template's name, for usage messages. */
export const templateForm = 'PROVIDER/SERVICE';

const templatePattern = /^([a-z0-9][a-z0-9._-]{0,99})\/([a-z0-9][a-z0-9._-]{0,99})$/i;

/** Whether a string names a template. */
export function isTemplateName(text: string): boolean {
  return templatePattern.test(text);
}

/** The template that a string names, `example.com/hostnames`. Refuses an invalid string with usage. */
export function templateNamed(text: string): DnsTemplate {
  const [, provider, service] = templatePattern.exec(text) ?? [];
  if (provider !== undefined && service !== undefined) return { provider, service };
  throw new Problem('usage', `"${text}" is not a Domain Connect template.`, {
    hint: `Write ${templateForm}, with the published ids of the template, such as example.com/hostnames.`,
  });
}
