/** Subjects of `edgectl help SUBJECT` that are no commands, and a line about each. */
export const topics = {
  commands: 'All commands, one line each',
  flags: 'Flags that all commands take',
  'exit-codes': 'What each exit code means',
  configuration: 'The file of a project, and its fields',
  credentials: 'As whom and where commands act, and what wins',
  output: 'What goes to standard output, what to standard error, and --json',
  undo: 'What can be put back, and for how long',
  sandbox: 'The embedded platform, for trying and for tests',
  seed: 'The data that a sandbox begins with',
  schema: 'The JSON Schema of what a command answers: edgectl help schema COMMAND',
  agents: 'For programs and agents that use edgectl',
  filters: 'Prefixes, patterns and searches',
} as const;

export type Topic = keyof typeof topics;

/** A topic with a text of its own: the list of commands comes from their declarations. */
export type WrittenTopic = Exclude<Topic, 'commands'>;

const allTopics = Object.keys(topics) as Topic[];

/** Words that people look for, and the subject that has the answer. */
const otherWords: Readonly<Record<Topic, readonly string[]>> = {
  commands: ['command', 'all', 'list'],
  flags: ['flag', 'options', 'global', 'globals'],
  'exit-codes': ['exit', 'exitcodes', 'codes', 'code', 'status', 'errors', 'error'],
  configuration: [
    'config',
    'edgectl.toml',
    'wrangler.toml',
    'toml',
    'bindings',
    'binding',
    'env',
    'environments',
  ],
  credentials: [
    'token',
    'tokens',
    'auth',
    'login',
    'account',
    'accounts',
    'profiles',
    'variables',
    'environment',
  ],
  output: ['json', 'stdout', 'stderr', 'quiet', 'jq'],
  undo: ['restore', 'revert', 'recover'],
  sandbox: ['local', 'embedded', 'tests', 'testing'],
  seed: ['seeds', 'fixtures', 'data'],
  schema: ['schemas', 'fields', 'jsonschema'],
  agents: ['agent', 'ai', 'llm', 'automation', 'scripts', 'script', 'ci', 'mcp'],
  filters: ['prefix', 'prefixes', 'patterns', 'pattern', 'glob', 'search', 'match'],
};

/** The subject that has the answer to a word, by its name or by one of its other words. */
export function topicFor(word: string): Topic | undefined {
  const lower = word.toLowerCase();
  return allTopics.find((topic) => topic === lower || otherWords[topic].includes(lower));
}

/** Whether a word is a subject of help. */
export function isTopic(word: string): word is Topic {
  return Object.hasOwn(topics, word);
}
