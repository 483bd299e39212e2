/** The way in which a document's command lines are tested. */
export type Held = RunWhole | RunElsewhere | ParsedOnly;

/** A document whose steps are all run by the tests, in order, in an empty folder. */
interface RunWhole {
  readonly how: 'run';
  /** The suite that runs the document: `soak` for documents that start workers or servers. */
  readonly by: 'npm test' | 'soak';
  /** Minimum number of commands, so that no command is overlooked. */
  readonly least: number;
}

/** A document whose commands are run by a separate test. */
interface RunElsewhere {
  readonly how: 'run elsewhere';
  readonly by: string;
}

/** A document whose command lines are only checked for validity. */
interface ParsedOnly {
  readonly how: 'parsed';
  readonly because: string;
}

const quick = (least: number): RunWhole => ({ how: 'run', by: 'npm test', least });
const slow = (least: number): RunWhole => ({ how: 'run', by: 'soak', least });
const elsewhere = (by: string): RunElsewhere => ({ how: 'run elsewhere', by });
const parsed = (because: string): ParsedOnly => ({ how: 'parsed', because });

const mentions = 'the document mentions commands only in sentences';
const generated = 'the document is generated from declarations of the program';

/** Every document with edgectl command lines. */
export const heldDocuments: Readonly<Record<string, Held>> = {
  'README.md': elsewhere('test/readme-use.test.ts'),
  'SECURITY.md': parsed(mentions),
  'SUPPORT.md': parsed(mentions),
  'CHANGELOG.md': parsed(mentions),
  'src/README.md': parsed(mentions),
  'test/scripts/README.md': elsewhere('test/scripts/reading.test.ts'),
  'docs/commands.md': parsed(generated),
  'docs/configuration.md': quick(3),
  'docs/console.md': parsed(mentions),
  'docs/csv.md': quick(4),
  'docs/decisions.md': parsed(mentions),
  'docs/diagnosis.md': parsed(generated),
  'docs/fleet.md': slow(30),
  'docs/guard.md': quick(14),
  'docs/glossary.md': parsed(mentions),
  'docs/install.md': parsed('a test of releases installs each artifact'),
  'docs/json.md': quick(16),
  'docs/keys.md': parsed(generated),
  'docs/permissions.md': parsed(generated),
  'docs/recipes.md': slow(25),
  'docs/threat-model.md': parsed(mentions),
  'docs/traces.md': parsed(mentions),
  'docs/sandbox.md': slow(20),
  'docs/guides/dns.md': quick(20),
  'docs/guides/hostnames.md': slow(20),
  'docs/guides/key-value.md': quick(24),
  'docs/guides/objects.md': quick(15),
  'docs/guides/profiles.md': quick(13),
  'docs/guides/workers.md': slow(13),
  'examples/bucket-worker/README.md': slow(13),
  'examples/tests/README.md': slow(2),
};

/** Returns the documents that a suite runs. */
export function documentsRun(by: RunWhole['by']): [path: string, least: number][] {
  return Object.entries(heldDocuments).flatMap(([path, held]) =>
    held.how === 'run' && held.by === by ? [[path, held.least]] : [],
  );
}
