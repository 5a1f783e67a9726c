import { Fault } from '../lib/fault.ts';
import { packTexts } from '../lib/packed.ts';
import type { Heavy } from './heavy/port.ts';
import type { Runnable } from './workflows/port.ts';

/** Tells why an input breaks the schema of a commit, by the thread that checks large bodies; null: it does not, or there is no schema. */
export const inputRefusal =
  (heavy: Pick<Heavy, 'call'>) =>
  async ({ commit, definition }: Runnable, input: string): Promise<string | null> => {
    if (definition.input === undefined) return null;
    try {
      await heavy.call('inputs', { inputs: packTexts([input]), schema: { commit, schema: JSON.stringify(definition.input) } });
      return null;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'INPUT_INVALID') throw error;
      const [first] = error.errors ?? [];
      return first ? `the input breaks the schema: ${first.pointer.replace(/^\/0/, '') || 'it'} ${first.message}` : error.message;
    }
  };
