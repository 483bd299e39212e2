import type { AnswerShape, AnswerValue } from '../output/answer-shape.ts';
import { hostnameAnswers } from './hostnames/answers.ts';
import { installationAnswers } from './installation/answers.ts';
import { kvAnswers } from './kv/answers.ts';
import { objectAnswers } from './objects/answers.ts';
import { sandboxAnswers } from './sandbox/answers.ts';
import { sessionAnswers } from './session/answers.ts';
import { undoAnswers } from './undo/answers.ts';
import { workerAnswers } from './workers/answers.ts';
import { zoneAnswers } from './zones/answers.ts';

/** Answers of the commands with `--json`, by their words. */
export const answers = {
  ...installationAnswers,
  ...hostnameAnswers,
  ...kvAnswers,
  ...objectAnswers,
  ...sandboxAnswers,
  ...sessionAnswers,
  ...undoAnswers,
  ...workerAnswers,
  ...zoneAnswers,
} as const satisfies Readonly<Record<string, AnswerShape>>;

/** The value, or the line, that a command answers with `--json`; never where there is none. */
export type AnswerOf<
  Words extends string,
  Form extends 'value' | 'lines',
> = Words extends keyof typeof answers ? AnswerValue<(typeof answers)[Words][Form]> : unknown;
