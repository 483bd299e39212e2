import { accessSync, constants, statSync } from 'node:fs';
import { pathReason, systemCode } from '../../files/system-reason.ts';
import { Problem } from '../../model/problem.ts';

/**
 * Throws if a data folder cannot be used: invalid-input if the path is not a folder, system if the user is not allowed to search the folder.
 * Accepts a missing folder. `folder` is an absolute path.
 */
export function checkStateFolder(folder: string): void {
  try {
    if (!statSync(folder).isDirectory()) throw unusableFolderProblem(`${folder} is a file, not a folder`);
    accessSync(folder, constants.X_OK);
  } catch (error) {
    if (error instanceof Problem) throw error;
    const code = systemCode(error);
    if (code === 'ENOENT') return;
    const reason = pathReason('/', folder, error);
    if (code === 'ENOTDIR') throw unusableFolderProblem(reason, error);
    if (code !== 'EACCES' && code !== 'EPERM')
      throw unusableFolderProblem(`${folder} cannot be used: ${reason}`, error);
    throw new Problem('system', `Cannot read ${folder}: ${reason}.`, {
      cause: error,
      remedy: { kind: 'choose-folder', instead: 'Run edgectl as the user who owns the folder' },
    });
  }
}

function unusableFolderProblem(fault: string, cause?: unknown): Problem {
  return new Problem('invalid-input', `${fault}; nothing was sent.`, {
    cause,
    remedy: { kind: 'choose-folder' },
  });
}
