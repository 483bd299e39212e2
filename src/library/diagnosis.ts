/**
 * Diagnosis without I/O: `diagnose` takes facts about a custom hostname and returns findings. The caller reads the facts from a file that
 * `edgectl hostname export-world` wrote, or overrides fields of `noFacts`.
 */
import type { Facts } from '../model/diagnosis/facts.ts';
import { parseFacts as parse } from '../model/diagnosis/facts-shape.ts';

export {
  type Diagnosis,
  type DiagnosisVerdict,
  diagnose,
  type MissingFact,
} from '../model/diagnosis/diagnose.ts';
export type {
  AddressFacts,
  DnsFacts,
  Fact,
  Facts,
  HostnameHistory,
  ProbeAnswer,
  SeenCertificate,
  TokenAnswer,
} from '../model/diagnosis/facts.ts';
export { noFacts } from '../model/diagnosis/facts.ts';
export type {
  AdvisedCommand,
  Finding,
  Fix,
  NextStep,
  RecordAdvice,
  Responsible,
  Severity,
} from '../model/diagnosis/finding.ts';
export { findingSchema } from '../model/diagnosis/finding-schema.ts';
export { findSource } from '../model/diagnosis/sources.ts';
export { agreedForecast as forecast } from '../model/diagnosis/verdict.ts';
export type { Forecast, ForecastOutcome } from '../model/forecast/ahead.ts';
export { commandArguments, findingLines } from '../text/finding.ts';

/**
 * Parses facts from an external source, for example a file. Throws an error that names the invalid field. This function is declared here,
 * because the published types must not import valibot.
 */
export function parseFacts(value: unknown): Facts {
  return parse(value);
}
