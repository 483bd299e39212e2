import { noJson } from '../../output/answer-shape.ts';

export const guardAnswers = {
  'guard exec': noJson('The output of the command.'),
} as const;
