import { caaCases } from './caa-cases.ts';
import type { Case } from './case.ts';
import { certificates } from './certificate-cases.ts';
import { edge } from './edge-cases.ts';
import { lifecycle } from './lifecycle-cases.ts';
import { ownership } from './ownership-cases.ts';
import { prerequisites } from './prerequisites-cases.ts';
import { routing } from './routing-cases.ts';
import { serving } from './serving-cases.ts';

/** Cases for every row of the decision table. */
export const cases: readonly Case[] = [
  ...lifecycle,
  ...prerequisites,
  ...routing,
  ...ownership,
  ...caaCases,
  ...certificates,
  ...serving,
  ...edge,
];
