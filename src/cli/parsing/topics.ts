/** Topics of `edgectl help TOPIC`, each with a description. */
export const topics = {
  commands: 'All commands, one line each',
  flags: 'Flags that all commands accept',
  'exit-codes': 'Meaning of the exit codes',
  configuration: 'The configuration file of a project and its fields',
  credentials: 'How the account and the credentials are chosen',
  output: 'Standard output, standard error and --json',
  undo: 'What can be restored, and for how long',
  sandbox: 'The embedded platform, for evaluation and tests',
  seed: 'The initial data of a sandbox',
  schema: 'JSON Schemas of results: edgectl help schema COMMAND',
  agents: 'How programs and AI agents use edgectl',
  filters: 'Prefixes, patterns and search',
} as const;

export type Topic = keyof typeof topics;

/** A topic with its own text; the list of commands is generated instead. */
export type WrittenTopic = Exclude<Topic, 'commands'>;

const allTopics = Object.keys(topics) as Topic[];

/** Search words for each topic. */
const topicSynonyms: Readonly<Record<Topic, readonly string[]>> = {
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

/** Finds the topic for a word: its name or a search word. */
export function topicFor(word: string): Topic | undefined {
  const lower = word.toLowerCase();
  return allTopics.find((topic) => topic === lower || topicSynonyms[topic].includes(lower));
}

/** Returns whether a word is a help topic. */
export function isTopic(word: string): word is Topic {
  return Object.hasOwn(topics, word);
}
