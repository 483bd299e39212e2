declare const EDGECTL_VERSION: string;
declare const EDGECTL_DATE: string;

/** The program's version, put in by the build. */
export const version: string = EDGECTL_VERSION;

/** The date of the commit that was built, as in 2026-11-24. */
export const buildDate: string = EDGECTL_DATE;
