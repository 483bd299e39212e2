/** A program that nobody here wrote, with the calls that it makes to a sandbox. */
export interface Client {
  readonly name: string;
  /** The npm package that contains it, and other packages that it needs, with exact versions; absent for a program of the system. */
  readonly npm?: string;
  /** A command whose output contains the version; it fails if the program is not installed. */
  readonly version?: string;
  /** How the system installs it, for a message: a Debian package, or why it cannot be had. */
  readonly from: string;
  /** Whether it only knows the platform's own host, so that it needs the sandbox's proxy. */
  readonly byProxy?: boolean;
  /** Files in its working directory, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly calls: readonly CallLine[] | Reporter;
}

/** One call: a line for `bash`, in which values saved by earlier calls are variables. */
export interface CallLine {
  readonly does: string;
  readonly line: string;
  /** What its output contains if the call is right; default: its exit code is enough. */
  readonly prints?: RegExp;
  /** Variables for later calls, each the first group of a pattern in the output. */
  readonly saves?: Readonly<Record<string, RegExp>>;
  /** Why it is answered differently from the platform, which is known. */
  readonly differs?: string;
}

/** A program that makes several calls, and prints one line of JSON for each: `{ "does", "fault" }`. */
export interface Reporter {
  readonly line: string;
  /** Calls that are answered differently from the platform, and why. */
  readonly differs?: Readonly<Record<string, string>>;
}

/** The result of one call: why it is wrong, or `undefined` if it is right. */
export interface CallResult {
  readonly does: string;
  readonly fault: string | undefined;
}
