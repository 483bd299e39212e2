/**
 * Diagnosis without input or output: takes facts about a custom hostname, returns findings. It queries nothing; the caller
 * gathers the facts, as `edgectl hostname export-world` writes them, or some of them over `noFacts`.
 */
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
export { parseFacts } from '../model/diagnosis/facts-shape.ts';
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
export { sourceOf } from '../model/diagnosis/sources.ts';
export { agreedForecast as forecast } from '../model/diagnosis/verdict.ts';
export type { Forecast, ForecastOutcome } from '../model/forecast/ahead.ts';
export { argumentsOf, findingLines } from '../text/finding.ts';
