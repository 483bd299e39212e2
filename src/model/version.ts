declare const EDGECTL_VERSION: string;
declare const EDGECTL_DATE: string;

/** The program's version, inserted by the build. */
export const version: string = EDGECTL_VERSION;

/** The date of the built commit, in the form 2026-11-24. */
export const buildDate: string = EDGECTL_DATE;
