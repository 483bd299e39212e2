import { noJson } from '../../output/answer-shape.ts';

export const completionAnswers = {
  completion: noJson('The shell script.'),
} as const;
