/** Error codes in a guard's answers. The platform does not use these codes. */
export const guardCodes = {
  malformed: 40_001,
  unauthorized: 40_101,
  refused: 40_301,
  unrecorded: 50_001,
  unreachable: 50_201,
} as const;
