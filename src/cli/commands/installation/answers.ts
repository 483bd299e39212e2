import { noJson } from '../../output/answer-shape.ts';

export const installationAnswers = {
  completion: noJson('The shell script.'),
  man: noJson('The manual page.'),
  licenses: noJson('The licenses.'),
} as const;
