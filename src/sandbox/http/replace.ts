import { abandonLoading, beginLoading, newLoading, takeOver } from '../../store/take-over.ts';
import type { Platform } from './exchange.ts';

interface Replaced {
  readonly platform: Platform;
  readonly folder: string;
  /** Closes its values; the next use opens them again. */
  closeData(): void;
  /** Opens an empty platform of the same account in a folder. */
  openBeside(folder: string): { readonly platform: Platform; close(): void };
}

/** Replaces all data of a platform by what `fill` writes to an empty one beside it, at once or not at all. */
export async function replaceData(
  { platform, folder, closeData, openBeside }: Replaced,
  fill: (beside: Platform) => Promise<void>,
): Promise<void> {
  const registry = platform.registry();
  const id = newLoading(platform);
  const loading = beginLoading(folder, id);
  const beside = openBeside(loading);
  try {
    await fill(beside.platform);
    beside.close();
    const exchange = async (): Promise<void> => {
      closeData();
      takeOver(folder, id, () => registry.takeFrom(loading, id));
    };
    await (platform.edge === undefined ? exchange() : platform.edge.alone(exchange));
  } finally {
    beside.close();
    // Once the registry has taken it, whoever opens the data next ends what failed here.
    if (registry.taken() !== id) abandonLoading(loading);
  }
  await platform.edge?.refreshWorkers();
}
