import fc from 'fast-check';

/**
 * Generates any character, for the option `unit` of `fc.string`. fast-check's `binary` generates the same characters, but takes a second to
 * list all of them.
 */
export const anyCharacter = fc
  .oneof(
    { weight: 0xd800, arbitrary: fc.integer({ min: 0, max: 0xd7ff }) },
    { weight: 0x11_0000 - 0xe000, arbitrary: fc.integer({ min: 0xe000, max: 0x10_ffff }) },
  )
  .map((code) => String.fromCodePoint(code));
