import { exitCodes } from '../../../src/model/problem.ts';
import type { FaultyRun } from './fault-runner.ts';

/** The facts that a check needs in addition to the output of a run. */
export interface Law {
  /** Whether the request may have succeeded, according to the server. */
  readonly mayPass: boolean;
  /** Strings that must not be shown. */
  readonly secrets: readonly string[];
  readonly json?: boolean;
  /** Whether the output is bytes from the server, which edgectl does not format. */
  readonly isRaw?: boolean;
}

const codes = new Set<number>([0, ...Object.values(exitCodes)]);

/** Words that reveal a bug, an error of the JavaScript engine, or an unchecked value. */
const bugs = [
  /bug in edgectl/i,
  /\b(?:Range|Type|Syntax|Reference|Val|Assertion|Uncaught)Error\b/,
  /^\s+at .*:\d+:\d+\)?$/m,
  /Cannot read propert|is not (?:a function|iterable|defined)|Maximum call stack|Invalid string length/,
  /Unexpected (?:token|end of JSON)|in JSON at position|Cannot convert|Invalid time value/,
  /\[object \w+\]/,
];

const unlooked = [/\bundefined\b/, /\bNaN\b/, /\bInfinity\b/, /\bInvalid Date\b/];

/** Returns the errors in a run, as sentences; the list is empty if the run is correct. */
export function faultsOf({ ran, requests, milliseconds }: FaultyRun, law: Law): string[] {
  const { code, out, err } = ran;
  const said = law.isRaw ? err : out + err;
  return [
    code === 130 && `it was interrupted after ${Math.round(milliseconds)} ms: ${short(err.slice(-300))}`,
    !codes.has(code) && `exit code ${code} is not documented`,
    code === 0 && !law.mayPass && `exit code 0, although the server has confirmed nothing: ${short(out)}`,
    code === 2 && requests.length > 0 && 'exit code 2 after a request was sent',
    ...bugs.map((bug) => bug.test(said) && `it says ${bug.exec(said)?.[0]}: ${short(said)}`),
    ...unlooked.map((word) => word.test(said) && `it says ${word.source}: ${short(said)}`),
    law.secrets.some((secret) => said.includes(secret)) && `a credential is shown: ${short(err)}`,
    law.json ? jsonFault(err) : textFault(code, out, err),
    code === 0 && law.json && !law.isRaw && outFault(out),
  ].filter((fault) => typeof fault === 'string');
}

/** Checks that a failed run prints an error message. Partial success and findings may be reported in the answer instead. */
function textFault(code: number, out: string, err: string): string | false {
  if (code === 0) return false;
  const isTold = /^error: .*\w/m.test(err) || ([1, 6, 7].includes(code) && /\w/.test(out));
  return !isTold && `exit code ${code} without a sentence: ${short(err)}`;
}

/** Checks that with `--json` every line of stderr is one object with a type. */
function jsonFault(err: string): string | false {
  const wrong = err
    .split('\n')
    .filter((line) => line !== '')
    .find((line) => !isTyped(line));
  return wrong !== undefined && `a line is not one JSON object with a type: ${short(wrong)}`;
}

function isTyped(line: string): boolean {
  try {
    return typeof JSON.parse(line).type === 'string';
  } catch {
    return false;
  }
}

/** Checks that the output is one JSON value, or one value per line. */
function outFault(out: string): string | false {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const isWell = out === '' || isJson(out) || out.trimEnd().split('\n').every(isJson);
  return !isWell && `the answer is not JSON: ${short(out)}`;
}

function short(text: string): string {
  return JSON.stringify(text.slice(0, 300));
}
