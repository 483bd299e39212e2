/** The parts of a record, by their names in the API. Source: SDK dns/records. */
export type RecordData = Readonly<Record<string, unknown>>;
