import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Controller } from './controller.ts';

/** The controller of a pane, made once, open while the pane stands. The pane is drawn again when its state changes. */
export function useController<C extends Pick<Controller<unknown, never>, OfController>>(make: () => C): C {
  const [controller] = useState(make);
  useEffect(() => {
    controller.open();
    return () => controller.close();
  }, [controller]);
  useSyncExternalStore(controller.subscribe, () => controller.state);
  return controller;
}

type OfController = 'open' | 'close' | 'subscribe' | 'state';
