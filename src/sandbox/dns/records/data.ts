/** The parts of a record by the names that the API gives them. Source: SDK dns/records. */
export type RecordData = Readonly<Record<string, unknown>>;
