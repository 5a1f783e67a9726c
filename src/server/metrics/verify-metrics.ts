import { errorMessage } from '../../lib/errors.ts';
import type { FoundDamage } from '../observability/port.ts';
import type { MetricDamage } from './store/port.ts';
import { openView } from './store/read/view.ts';
import { verifyStore } from './store/read/verify.ts';

/** Reads all that the metric store in a folder has, which no master uses. Nothing is changed. */
export function verifyMetrics(folder: string): { readonly damages: FoundDamage[]; readonly bytes: number } {
  const found = new Map<string, FoundDamage>();
  const damaged = (damage: MetricDamage) =>
    void found.set(`${damage.file} ${damage.place}`, { ...damage, part: 'metrics', file: `metrics/${damage.file}` });
  let bytes = 0;
  try {
    const view = openView(folder, damaged);
    try {
      view.refresh();
      for (const read of verifyStore(view)) bytes += Number(Buffer.from(read).toString());
    } finally {
      view.close();
    }
  } catch (error) {
    const what = `cannot be read (${errorMessage(error)})`;
    damaged({ file: 'head.db', place: '', what, from: null, to: null, lost: null });
  }
  return { damages: [...found.values()], bytes };
}
