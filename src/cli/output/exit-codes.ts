import type { CommandDeclaration } from '../parsing/declaration.ts';

/** Exit codes and their meanings, as help and README show them. */
export const exitCodeMeanings: readonly (readonly [number, string])[] = [
  [0, 'success; also a server (sandbox start, dev) that Ctrl-C or a signal stopped'],
  [1, 'failed, or refused by the platform'],
  [2, 'usage error or invalid input; nothing was sent'],
  [3, 'not found'],
  [4, 'not signed in, or not permitted'],
  [5, 'not confirmed; nothing was changed'],
  [6, 'partly done; the report lists what failed'],
  [7, 'a check found a fault or a difference'],
  [130, 'interrupted (143 after SIGTERM, 129 after SIGHUP)'],
];

/** Exit codes in addition to those that follow from the declaration of a command. */
const additionalExitCodes: Readonly<Record<string, readonly number[]>> = {
  doctor: [3, 4, 7],
  whoami: [3, 4],
  'profile add': [4],
  'profile login': [4],
  'profile lock': [4],
  'profile unlock': [4],
  'guard exec': [4],
  'guard start': [4],
  'undo show': [3],
  'audit show': [3],
  'guard approve': [3, 5],
  'guard refuse': [3],
  'audit verify': [7],
  'kv diff': [6, 7],
  'kv key diff': [7],
  'kv key list': [6],
  'kv bulk put': [6],
  'kv bulk get': [6],
  'kv bulk delete': [6],
  'kv namespace clear': [6],
  'kv export': [6],
  'kv copy': [6],
  'objstore bucket delete': [6],
  'objstore object put': [6],
  'objstore object get': [6],
  'objstore object delete': [6],
  'objstore object sync': [6],
  'secret put': [6],
  'secret delete': [6],
  'secret bulk': [6],
  'hostname create': [6, 7],
  'hostname edit': [6],
  'hostname refresh': [6],
  'hostname delete': [6],
  'hostname reconcile': [6],
  'hostname watch': [6, 7],
  'hostname diagnose': [6, 7],
  'hostname forecast': [7],
  'hostname export-world': [6],
};

/** Returns the possible exit codes of a command, in ascending order. */
export function listExitCodes({ words, needs, loss }: CommandDeclaration): readonly number[] {
  const asPlatform = needs === 'nothing' && !words.startsWith('sandbox ') ? [] : [3, 4];
  const codes = [
    0,
    1,
    2,
    130,
    ...asPlatform,
    ...(loss?.asks === undefined ? [] : [5]),
    ...(additionalExitCodes[words] ?? []),
  ];
  return [...new Set(codes)].sort((left, right) => left - right);
}
