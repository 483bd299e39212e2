import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import type { World } from '../../world.ts';

/** The profiles that cannot be used, whether or not one of them is selected. Empty where all can. */
export async function profileChecks({ folders }: Pick<World, 'folders'>): Promise<DoctorCheck[]> {
  if (!hasProfiles(folders)) return [];
  const { openProfiles } = await import('../../profiles/profiles.ts');
  try {
    const damaged = (await openProfiles(folders.config))
      .list()
      .flatMap(({ name, problem }) =>
        problem === undefined ? [] : [{ name, reason: problem.message.replace(/\.$/, '') }],
      );
    if (damaged.length === 0) return [];
    const hint = 'Repair or delete each file; edgectl does not overwrite it.';
    const names = damaged.map(({ name }) => name);
    return [
      check.wrong('profiles', damaged.map(({ reason }) => reason).join('\n'), { hint }, { damaged: names }),
    ];
  } catch {
    // The settings beside them: the check of the credentials reports those.
    return [];
  }
}

function hasProfiles(folders: World['folders']): boolean {
  try {
    return existsSync(join(folders.config, 'profiles'));
  } catch {
    return false;
  }
}
