import type { Instructions } from '../../model/instructions/instructions.ts';
import { describeTurn, toFields } from './words.ts';

/** Converts instructions to JSON: the records to set, and the field labels of the provider's form. */
export function instructionsJson(instructions: Instructions) {
  const {
    hostname,
    zone,
    nameServers,
    provider,
    recognised,
    turn,
    state,
    records,
    missing,
    notes,
    domainConnect,
  } = instructions;
  return {
    hostname,
    ...(zone !== undefined && { zone }),
    nameServers,
    provider: provider === undefined ? null : { id: provider.id, label: provider.label, recognised },
    turn,
    title: describeTurn(instructions),
    state,
    records: records.map((record) => {
      const { type, name, fullName, value, ttl, purpose, optional } = record;
      const fields = Object.fromEntries(toFields(instructions, record));
      return { type, name, fullName, value, ttl, purpose, state: record.state, optional, fields };
    }),
    missing,
    notes,
    domainConnect:
      domainConnect === undefined
        ? null
        : {
            provider: domainConnect.label,
            link: domainConnect.apply?.link ?? null,
            host: domainConnect.apply?.host ?? null,
            missing: domainConnect.lacks ?? null,
          },
  };
}
