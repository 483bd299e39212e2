import { parseServer } from '../../../dns/server-address.ts';
import { templateForm, templateNamed } from '../../../model/instructions/template.ts';
import { wireHostname } from '../../../services/hostnames/body.ts';
import { resolveHostname } from '../../../services/hostnames/hostnames.ts';
import { providerNamed, readInstructions } from '../../../services/instructions/instructions.ts';
import { instructionsJson } from '../../../text/instructions/json.ts';
import { missingLinkWords } from '../../../text/instructions/words.ts';
import { writtenFormats, writtenInstructions } from '../../../text/instructions/written.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';
import { wordOf } from './list.ts';
import { openZone } from './zone-choice.ts';

const formats = [...writtenFormats, 'json'] as const;

export const instructionsCommand = command<typeof declared.hostnameInstructions>({
  async run(context, { args, flags }) {
    const { output } = context;
    const format = wordOf('--format', flags.format, formats) ?? (output.json ? 'json' : 'txt');
    const provider = flags.for === undefined ? undefined : providerNamed(flags.for);
    const named = flags['domain-connect'];
    const template = named === undefined ? undefined : templateNamed(named);
    const target = flags.target === undefined ? undefined : wireHostname(flags.target);
    flags.resolver.forEach(parseServer);
    const { session, zoneId } = await openZone(context, flags);
    const options = { servers: flags.resolver, target, provider, template };
    const record = await resolveHostname(session, zoneId, args.HOSTNAME);
    const instructions = await readInstructions(session, zoneId, record, options);
    if (format === 'json') await output.answerJson(instructionsJson(instructions));
    else await output.listing(writtenInstructions(format, instructions));
    const withoutLink = missingLinkWords(instructions);
    const mend =
      instructions.domainConnect?.needsTemplate === true
        ? ` Name one: --domain-connect ${templateForm}.`
        : '';
    if (withoutLink !== undefined) output.note(`${withoutLink}${mend}`);
    for (const { fact, reason } of instructions.missing)
      output.warn(`Not known: ${fact} (${reason}).`, { fact });
    return instructions.missing.length > 0 ? 1 : 0;
  },
});
