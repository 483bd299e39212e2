import { certificateScenes } from './certificate-scenes.ts';
import { originScenes } from './origins.ts';
import { platformScenes } from './platform-scenes.ts';
import { caaScenes, ownershipScenes, textScenes } from './proof-scenes.ts';
import { recordScenes } from './record-scenes.ts';
import { routingScenes } from './routing-scenes.ts';
import type { Scene } from './scene.ts';

/** Findings about one hostname that can occur in one sandbox. */
export const scenes: readonly Scene[] = [
  ...recordScenes,
  ...platformScenes,
  ...routingScenes,
  ...ownershipScenes,
  ...caaScenes,
  ...textScenes,
  ...certificateScenes,
  ...originScenes,
];
