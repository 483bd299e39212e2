/** Error codes of the answers of a guard. The platform does not use them. */
export const guardCodes = {
  malformed: 40_001,
  unauthorized: 40_101,
  refused: 40_301,
  unrecorded: 50_001,
  unreachable: 50_201,
} as const;
