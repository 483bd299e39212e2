import { noJson } from '../../output/answer-shape.ts';

export const completionAnswers = {
  completion: noJson('The script, for a shell.'),
} as const;
