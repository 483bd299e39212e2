import { parseLink } from '../../src/model/places/link.ts';
import type { Problem } from '../../src/model/problem.ts';
import { Controller } from '../kit/controller.ts';
import type { OpenPanes } from '../kit/open-pane.ts';
import { type ConsoleParts, useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { toPanes } from '../places/place-link.ts';
import { Waiting } from '../ui/frame/Waiting.tsx';

interface GoingProps {
  readonly link: string;
  arrive(panes: OpenPanes): void;
  onCancel(): void;
}

/** The reason why the target of a link could not be found; undefined during the search. */
interface GoingState {
  readonly problem: Problem | undefined;
}

class GoingController extends Controller<GoingState, GoingState> {
  readonly #parts: Pick<ConsoleParts, 'services'>;
  readonly #props: GoingProps;

  constructor(parts: Pick<ConsoleParts, 'services' | 'notes'>, props: GoingProps) {
    super((_, next) => next, { problem: undefined }, parts.notes);
    this.#parts = parts;
    this.#props = props;
  }

  readonly seek = (): void => {
    this.dispatch({ problem: undefined });
    this.run({
      name: 'going',
      work: async (signal) => this.#parts.services.places.find(parseLink(this.#props.link), signal),
      done: (place) => this.#props.arrive(toPanes(place)),
      failed: (problem) => this.dispatch({ problem }),
    });
  };

  protected override begin(): void {
    this.seek();
  }
}

/**
 * Draws the screen shown while a link's target is looked up, or the reason why the target could not be found. Esc returns to the previous
 * view.
 */
export function Going(props: GoingProps) {
  const parts = useConsole();
  const going = useController(() => new GoingController(parts, props));
  return (
    <Waiting
      activity={`going to ${props.link}`}
      problem={going.state.problem}
      retry={going.seek}
      onCancel={props.onCancel}
    />
  );
}
