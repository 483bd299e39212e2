/** Yields empty pages while work goes on, one whenever that tells of itself, and returns what it comes to. */
export async function* whilePlanning<T, Result>(
  begin: (tell: () => void) => Promise<Result>,
): AsyncGenerator<readonly T[], Result> {
  let wake = (): void => undefined;
  const work = begin(() => wake());
  const ended = work.then((result) => ({ result }));
  for (;;) {
    const told = new Promise<undefined>((resolve) => {
      wake = () => resolve(undefined);
    });
    const end = await Promise.race([ended, told]);
    if (end !== undefined) return end.result;
    yield [];
  }
}
