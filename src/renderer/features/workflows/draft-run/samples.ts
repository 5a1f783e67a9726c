import { withPlainNumbers } from '../../../../lib/json.ts';
import { sampleInput } from '../sample-input.ts';

/** The example input of each workflow, kept in this browser: the definition has no place for it, and it may hold customers' data. */
export type SampleStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const storageKey = (workflowId: string): string => `yardmaster.sample.${workflowId}`;

export interface Samples {
  /** JSON text of one input; null: none was kept. */
  load(workflowId: string): string | null;
  /** False where the browser did not take it. */
  save(workflowId: string, text: string): boolean;
}

export function createSamples(storage: SampleStorage): Samples {
  return {
    load(workflowId) {
      try {
        return storage.getItem(storageKey(workflowId));
      } catch {
        return null;
      }
    },
    save(workflowId, text) {
      try {
        storage.setItem(storageKey(workflowId), text);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** The input that a workflow is tried with before its author wrote one. */
export const firstSample = (schema: unknown): string =>
  `${JSON.stringify(schema === undefined || typeof schema === 'boolean' ? { content: 'hello' } : sampleInput(withPlainNumbers(schema)), null, 2)}\n`;
