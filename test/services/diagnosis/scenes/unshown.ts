/** Why a finding cannot be brought about in the sandbox. */
export const unshown: Readonly<Record<string, string>> = {
  C11: "It needs the account's own address ranges, which edgectl does not ask for; programs can give them to the library.",
};
