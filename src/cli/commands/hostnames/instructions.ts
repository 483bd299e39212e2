import { parseServer } from '../../../dns/server-address.ts';
import type { Instructions } from '../../../model/instructions/instructions.ts';
import { keyNamed } from '../../../model/instructions/link-key.ts';
import { templateNamed } from '../../../model/instructions/template.ts';
import { Problem } from '../../../model/problem.ts';
import { wireHostname } from '../../../services/hostnames/body.ts';
import { resolveHostname } from '../../../services/hostnames/hostnames.ts';
import { providerNamed, readInstructions } from '../../../services/instructions/instructions.ts';
import { openLinkKey } from '../../../services/instructions/link-key.ts';
import { instructionsJson } from '../../../text/instructions/json.ts';
import { describeMissingLink } from '../../../text/instructions/words.ts';
import { writtenFormats, writtenInstructions } from '../../../text/instructions/written.ts';
import { command } from '../../parsing/command.ts';
import { parseOneOf } from '../../parsing/one-of.ts';
import type * as declared from './declarations.ts';
import { openZone } from './zone-choice.ts';

const formats = [...writtenFormats, 'json'] as const;

/** The flags that set the parts of a Domain Connect link. */
const linkFlags = { template: '--domain-connect', key: '--domain-connect-key' };

/**
 * Shown only if a flag requested a link, because a template in the settings applies only to customers whose provider supports Domain
 * Connect.
 */
const noOffer =
  "The customer's DNS provider does not support Domain Connect, so the instructions contain no link that sets the records.";

function isWithoutOffer({ domainConnect, records }: Instructions): boolean {
  return domainConnect === undefined && records.some(({ state }) => state !== 'there');
}

/** Refuses instructions that lack the CNAME, because a customer would consider the other records complete. */
function refuseWithoutTarget({ hostname, missing }: Instructions): void {
  if (!missing.some(({ fact }) => fact === 'target')) return;
  const unread = missing.find(({ fact }) => fact === 'fallback origin');
  const why =
    unread === undefined
      ? 'the zone has no fallback origin'
      : `the fallback origin is unknown (${unread.reason})`;
  throw new Problem('refused', `No instructions for ${hostname}: ${why}.`, {
    hint: 'Set a fallback origin (edgectl hostname fallback-origin set ORIGIN), or specify the name that customers must point to with --target.',
  });
}

export const instructionsCommand = command<typeof declared.hostnameInstructions>({
  async run(context, { args, flags }) {
    const { output } = context;
    const format = parseOneOf('--format', flags.format, formats) ?? (output.json ? 'json' : 'txt');
    const provider = flags.for === undefined ? undefined : providerNamed(flags.for);
    const named = flags['domain-connect'];
    const template = named === undefined ? undefined : templateNamed(named);
    const signs = flags['domain-connect-key'];
    const key = signs === undefined ? undefined : await openLinkKey(context.world, keyNamed(signs));
    const target = flags.target === undefined ? undefined : wireHostname(flags.target);
    flags.resolver.forEach(parseServer);
    const { session, zoneId } = await openZone(context, flags);
    const options = { servers: flags.resolver, target, provider, template, key };
    const record = await resolveHostname(session, zoneId, args.HOSTNAME);
    const instructions = await readInstructions(session, zoneId, record, options);
    refuseWithoutTarget(instructions);
    if (format === 'json') await output.answerJson(instructionsJson(instructions));
    else await output.listing(writtenInstructions(format, instructions));
    const withoutLink = describeMissingLink(instructions, linkFlags);
    if (withoutLink !== undefined) output.note(withoutLink);
    else if (template !== undefined && isWithoutOffer(instructions)) output.note(noOffer);
    for (const { fact, reason } of instructions.missing)
      output.warn(`Unknown: ${fact} (${reason}).`, { fact });
    return instructions.missing.length > 0 ? 1 : 0;
  },
});
