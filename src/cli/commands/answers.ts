import type { AnswerShape, AnswerValue } from '../output/answer-shape.ts';
import { guardAnswers } from './guard/answers.ts';
import { hostnameAnswers } from './hostnames/answers.ts';
import { installationAnswers } from './installation/answers.ts';
import { kvAnswers } from './kv/answers.ts';
import { objectAnswers } from './objects/answers.ts';
import { sandboxAnswers } from './sandbox/answers.ts';
import { sessionAnswers } from './session/answers.ts';
import { undoAnswers } from './undo/answers.ts';
import { workerAnswers } from './workers/answers.ts';
import { zoneAnswers } from './zones/answers.ts';

/** The `--json` answers of all commands, by command words. */
export const answers = {
  ...installationAnswers,
  ...guardAnswers,
  ...hostnameAnswers,
  ...kvAnswers,
  ...objectAnswers,
  ...sandboxAnswers,
  ...sessionAnswers,
  ...undoAnswers,
  ...workerAnswers,
  ...zoneAnswers,
} as const satisfies Readonly<Record<string, AnswerShape>>;

/** The JSON value or line that a command prints with `--json`; `never` if the command prints no JSON. */
export type AnswerOf<
  Words extends string,
  Form extends 'value' | 'lines',
> = Words extends keyof typeof answers ? AnswerValue<(typeof answers)[Words][Form]> : unknown;
