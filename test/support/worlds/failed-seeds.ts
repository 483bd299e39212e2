import { type World, worldFrom } from './world.ts';

/** Seeds of worlds that once failed, by the generation of their faults. */
const seeds: readonly (readonly [generation: number, seeds: string])[] = [
  [1, 'base/9 base/13 base/28 base/44 base/57 base/78 base/113 base/114 soak/42 soak/110'],
  // These worlds are among the 5,000 worlds of the seed 3c9a2d5ea81c.
  [1, '88 137 181 388 411 470 679 915 1256 1490 1598 1697 1753 2227 2583'],
  [1, '2661 2754 2899 3000 3472 3847 4022 4256 4368 4389 4749 4767 4783 4818'],
  [2, 'try1/60 try1/135 try2/56 try2/72 try2/102 try2/91 try2/128 try2/168 dcf69df4bca4a/35'],
  [
    2,
    'dcf69df4bca4b/3 03c5b95587eeb/9 03c5b95587eeb/71 03c5b95587eeb/63 be45243dd2fca/288 be45243dd2fca/926 be45243dd2fcb/688 be45243dd2fcb/1410',
  ],
];

/** Returns all worlds that failed once. */
export function failedWorlds(): readonly World[] {
  return seeds.flatMap(([generation, some]) =>
    some
      .split(' ')
      .map((seed) => worldFrom(seed.includes('/') ? seed : `3c9a2d5ea81c/${seed}`, { generation })),
  );
}

/**
 * Returns one failed world of each kind: apex names, refusals by an authority, CAA without a record, quota, holds, the platform's block
 * page, an expired limit, a hold that outlasts the schedule, CAA records of our target, and an IPv6 address of another server.
 */
export function failedKinds(): readonly World[] {
  const kinds = 'base/9 base/13 base/44 base/57 base/78 base/114 3c9a2d5ea81c/88 3c9a2d5ea81c/470';
  const wanted = new Set(`${kinds} 3c9a2d5ea81c/4389 try2/102`.split(' '));
  return failedWorlds().filter(({ seed }) => wanted.has(seed));
}
