/** Subjects of `edgectl help SUBJECT` that are no commands, and a line about each. */
export const topics = {
  flags: 'Flags that all commands take',
  'exit-codes': 'What each exit code means',
  configuration: 'The file of a project, and its fields',
  credentials: 'As whom and where commands act, and what wins',
  output: 'What goes to standard output, what to standard error, and --json',
  undo: 'What can be put back, and for how long',
  sandbox: 'The embedded platform, for trying and for tests',
  seed: 'The data that a sandbox begins with',
  schema: 'The JSON Schema of what a command answers: edgectl help schema COMMAND',
  filters: 'Prefixes, patterns and searches',
} as const;

export type Topic = keyof typeof topics;

/** Whether a word is a subject of help. */
export function isTopic(word: string): word is Topic {
  return Object.hasOwn(topics, word);
}
