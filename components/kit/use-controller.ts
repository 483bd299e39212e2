import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Controller } from './controller.ts';

/**
 * Creates a pane's controller once, keeps it open while the pane is mounted, and redraws the pane each time the controller notifies its
 * listeners.
 */
export function useController<C extends Pick<Controller<unknown, never>, OfController>>(make: () => C): C {
  const [controller] = useState(make);
  useEffect(() => {
    controller.open();
    return () => controller.close();
  }, [controller]);
  useSyncExternalStore(controller.subscribe, () => controller.notifications);
  return controller;
}

type OfController = 'open' | 'close' | 'subscribe' | 'notifications';
