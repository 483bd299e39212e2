import type { Shape } from '../../model/shape.ts';

/**
 * The `--json` answer of a command on standard output. The shape is declared in the `answers.ts` next to the command; the JSON Schema
 * (`docs/schema`) and the types of possible answers are derived from the shape. Commands import only the types; the declarations are loaded
 * only for help and schemas.
 */
export interface AnswerShape {
  /** The shape of the single JSON value; null if the command does not print one. */
  readonly value: Shape<unknown> | null;
  /** The shape of each line; null if the command does not print JSON lines. */
  readonly lines: Shape<unknown> | null;
  /** A phrase that describes when lines replace the value or, for a command without JSON, what the command prints. */
  readonly about: string;
}

/** Declares an answer that is a single JSON value. */
export function value<const S extends Shape<unknown>>(shape: S, about = '') {
  return { value: shape, lines: null, about } as const;
}

/** Declares an answer with one JSON value per line. */
export function lines<const S extends Shape<unknown>>(shape: S, about = '') {
  return { value: null, lines: shape, about } as const;
}

/** Declares an answer that is a single JSON value or lines; `about` describes when lines replace the value. */
export function valueOrLines<const S extends Shape<unknown>, const L extends Shape<unknown>>(
  shape: S,
  line: L,
  about: string,
) {
  return { value: shape, lines: line, about } as const;
}

/** Declares an answer that is not JSON; `about` describes the output. */
export function noJson(about: string) {
  return { value: null, lines: null, about } as const;
}

/** A value of a shape before it is serialized; JSON drops undefined fields. */
export type AnswerValue<S> = S extends Shape<infer T> ? Droppable<T> : never;

type Droppable<T> = T extends readonly (infer Item)[]
  ? readonly Droppable<Item>[]
  : T extends object
    ? {
        readonly [Name in keyof T]: object extends Pick<T, Name>
          ? Droppable<T[Name]> | undefined
          : Droppable<T[Name]>;
      }
    : T;
