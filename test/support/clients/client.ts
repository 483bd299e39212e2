/** A third-party program, with the calls that it makes to a sandbox. */
export interface Client {
  readonly name: string;
  /** The npm package of the program, and other required packages, with exact versions; absent for a system program. */
  readonly npm?: string;
  /** A command whose output contains the version; the command fails if the program is not installed. */
  readonly version?: string;
  /** The source of the program, for a message: a Debian package, or the reason why no package is available. */
  readonly from: string;
  /** Whether the program can only call the platform's own host, and therefore needs the sandbox's proxy. */
  readonly byProxy?: boolean;
  /** Files in the working directory of the program, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly calls: readonly CallLine[] | Reporter;
}

/** One call: a line for `bash`. The values saved by earlier calls are available as variables. */
export interface CallLine {
  readonly does: string;
  readonly line: string;
  /** A pattern that the output must match (default: only the exit code is checked). */
  readonly prints?: RegExp;
  /** Variables for later calls; the value is the first group of the pattern in the output. */
  readonly saves?: Readonly<Record<string, RegExp>>;
  /** The reason for a known difference from the platform's answer. */
  readonly differs?: string;
}

/** A program that makes several calls, and prints one line of JSON for each call: `{ "does", "fault" }`. */
export interface Reporter {
  readonly line: string;
  /** Calls with a known difference from the platform's answer, and the reasons. */
  readonly differs?: Readonly<Record<string, string>>;
}

/** The result of one call: the reason why the answer is wrong, or `undefined` if the answer is correct. */
export interface CallResult {
  readonly does: string;
  readonly fault: string | undefined;
}
