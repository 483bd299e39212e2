import { anything, count, list, object, only, optional, text, texts } from './answer-shape.ts';

/** The answer of a dry run that a command has in common with all others. */
export const dryRunShape = object({
  dryRun: only(true, 'Nothing was changed'),
  command: text('The words of the command'),
  target: optional(text('Where it would be done, in words')),
  asks: texts('What would be lost, for each question that would come first; --yes answers them'),
  changes: list(
    object({
      does: text('The method of a request, or a verb'),
      what: text('The path of a request, or a name'),
      bytes: optional(count('Size of the body')),
      body: optional(anything('The body of a request, where it is JSON without secrets')),
      differences: optional(
        list(
          object({
            field: text(
              'Path of the field in the body, "value" for a short value of a key, size and etag of an object that is there, or a column of the file',
            ),
            from: optional(text('What there is; left out where there is nothing')),
            to: optional(text('What would be; left out where nothing would be')),
          }),
          'What would change, where it was read; for a delete, what there is',
        ),
      ),
    }),
    'All changes where they are known before; else the first request that changes something, on whose answer others depend. Empty where nothing would change',
  ),
  hash: optional(
    text('Of hostname delete by a filter or a file: what --confirm takes to delete exactly these'),
  ),
});
