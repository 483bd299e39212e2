/** Why a finding cannot be brought about in the sandbox. */
export const unshown: Readonly<Record<string, string>> = {
  A1: 'It speaks of statuses that do not exist yet; the sandbox gives the documented ones only.',
  A2: 'The sandbox removes a hostname at once; no source tells how long the platform shows one that is deleted.',
  A3: 'The sandbox removes a hostname at once; no source tells how long the platform takes for it.',
  B3: 'No source tells when the platform gives a fallback origin up; in the sandbox each comes into use.',
  B6: 'The sandbox refuses the name of the zone (1407), so that none can be made; records of the platform may be older.',
  C11: "It needs the account's own address ranges, which edgectl does not ask for; programs can give them to the library.",
  F25: 'The zones of a sandbox are active from the beginning, so that no certificate waits for its zone.',
  F27: 'No source tells when the platform puts a certificate into staging.',
  G6: 'The edge of the sandbox has a new certificate at once; the real one takes minutes to reach every place.',
};
