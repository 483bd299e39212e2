/** Exit codes and their meanings, as help and README show them. */
export const exitCodeMeanings: readonly (readonly [number, string])[] = [
  [0, 'done'],
  [1, 'failed, or refused by the platform'],
  [2, 'wrong use or invalid input; nothing was sent'],
  [3, 'not found'],
  [4, 'not signed in, or not permitted'],
  [5, 'not confirmed; nothing was changed'],
  [6, 'partly done; the report says which part'],
  [7, 'a check found something: a fault, a difference'],
  [130, 'interrupted; 143 and 129 where SIGTERM and SIGHUP have ended it'],
];
