import type { Settings } from '../../../contract/settings.ts';

const GIB = 1024 ** 3;
/** A larger disk has time left also where little of it is free. */
const ROOMY = 50 * GIB;

/** How urgent it is that the disk of the data folder runs full; null: it is not, or is not known. `full`: log lines are refused already, or about to be. */
export function diskState(
  disk: Settings['disk'],
  limits: Readonly<Record<string, number | undefined>>,
): 'low' | 'full' | null {
  if (disk === undefined) return null;
  const { freeBytes, totalBytes } = disk;
  if (freeBytes < 2 * (limits['logReserveBytes'] ?? 0)) return 'full';
  return freeBytes < GIB || (freeBytes < totalBytes * 0.1 && freeBytes < ROOMY) ? 'low' : null;
}
