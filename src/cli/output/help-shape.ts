import { bool, count, list, nullable, object, oneOf, only, optional, text, texts } from './answer-shape.ts';

const about = text('What it is, in a sentence');

const flag = object({
  name: text('With its dashes'),
  short: optional(text('The same in one letter')),
  type: oneOf(
    ['boolean', 'switch', 'string', 'integer', 'id', 'path'],
    'boolean takes no value; switch takes one only behind =; id is an id of the platform',
  ),
  repeatable: optional(only(true, 'It may be given several times')),
  value: optional(text('What its value is, as help shows it')),
  values: optional(texts('The values that it takes')),
  about,
});

/** The shape of `edgectl help --json`. */
export const helpShape = object({
  version: text('Of the program'),
  globalFlags: list(flag, 'Flags of all commands'),
  exitCodes: list(object({ code: count('The exit code'), meaning: text('Its meaning') }), 'All exit codes'),
  commands: list(
    object({
      command: text('Its words behind edgectl'),
      about,
      effect: oneOf(
        ['read', 'write', 'destroy', 'none'],
        'On data of the platform; none: on nothing, or on this machine only',
      ),
      asks: bool('Whether it asks for confirmation, which --yes answers'),
      loss: nullable(
        object({
          names: optional(text('What it replaces or deletes because the command line names it')),
          keeps: optional(
            oneOf(['by default', 'on request'], 'Whether it saves the old state of a single thing for undo'),
          ),
          asks: optional(text('What it asks about first')),
        }),
      ),
      needs: oneOf(['account', 'zone', 'nothing'], 'What it acts on'),
      arguments: list(
        object({
          name: text('Its name in the usage'),
          type: oneOf(['string', 'path'], 'What it takes'),
          required: bool('Whether it has to be there'),
          many: bool('Whether it takes all that are left'),
          about,
        }),
        'In their order',
      ),
      flags: list(flag, 'Flags of its own'),
      answer: oneOf(['one value', 'lines', 'one value or lines', 'no JSON'], 'On stdout, with --json'),
      schema: nullable(text('File of the package; edgectl help schema COMMAND prints it; null without JSON')),
      exitCodes: list(count('An exit code'), 'Those that it can end with'),
      examples: list(object({ command: text('The command line'), does: text('What it does') }), 'Examples'),
      notes: texts('Further sentences'),
      permissions: texts('Permissions of a token that it needs'),
    }),
    'All commands, or those that were asked for',
  ),
});
