import type { Shape } from '../../model/shape.ts';

/**
 * The `--json` answer of a command on standard output. Declared once, in the `answers.ts` next to the command; its JSON Schema
 * (`docs/schema`) and the types of its possible answers follow from it. Commands import only the types; the declarations are
 * loaded only for help and schemas.
 */
export interface AnswerShape {
  /** The one JSON value; null if the command writes none. */
  readonly value: Shape<unknown> | null;
  /** A JSON value per line; null if the command writes none. */
  readonly lines: Shape<unknown> | null;
  /** When lines replace the value; or, for a command without JSON, its output. */
  readonly about: string;
}

/** One JSON value. */
export function value<const S extends Shape<unknown>>(shape: S, about = '') {
  return { value: shape, lines: null, about } as const;
}

/** One JSON value per line. */
export function lines<const S extends Shape<unknown>>(shape: S, about = '') {
  return { value: null, lines: shape, about } as const;
}

/** One JSON value or lines; `about` describes when. */
export function valueOrLines<const S extends Shape<unknown>, const L extends Shape<unknown>>(
  shape: S,
  line: L,
  about: string,
) {
  return { value: shape, lines: line, about } as const;
}

/** No JSON; `about` describes the output. */
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
