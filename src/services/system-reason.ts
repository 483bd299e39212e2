/**
 * Why the operating system refused, in its own words, without the call and the path that Node puts round them: "no such
 * file or directory". Any other error by its message.
 */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('syscall' in error)) return error.message;
  if ('code' in error && error.code === 'EISDIR') return 'it is a folder';
  return error.message.replace(/^[A-Z0-9_]+: /, '').replace(/, \w+(?: '.*)?$/s, '');
}
