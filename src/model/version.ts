declare const EDGECTL_VERSION: string;

/** The program's version, put in by the build. */
export const version: string = EDGECTL_VERSION;
