import { createHash } from 'node:crypto';
import { Fault } from '../../lib/fault.ts';
import { JsonSource, jsonTextOf, packTexts } from '../../lib/packed-inputs.ts';
import type { Offload } from '../offload/port.ts';
import type { Runnable } from './port.ts';

/** What is wrong with the first input that breaks the schema of a commit, by the thread that checks large bodies; null: nothing, or there is no schema. */
export const findInputFault =
  (offload: Pick<Offload, 'call'>) =>
  async (
    { commit, definition }: Pick<Runnable, 'commit' | 'definition'>,
    inputs: readonly unknown[],
  ): Promise<string | null> => {
    if (definition.input === undefined) return null;
    try {
      await offload.call('inputs', {
        inputs: packTexts(inputs.map(jsonTextOf)),
        schema: { commit, schema: JSON.stringify(definition.input) },
      });
      return null;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'INPUT_INVALID') throw error;
      const [first] = error.errors ?? [];
      if (!first) return error.message;
      const at = first.pointer.replace(/^\/inputs/, '').replace(inputs.length === 1 ? /^\/0/ : '', '');
      return `${at || 'it'} ${first.message}`;
    }
  };

/** The same of one input, as JSON text, in a sentence. */
export const inputRefusal = (offload: Pick<Offload, 'call'>) => {
  const wrong = findInputFault(offload);
  return async (runnable: Pick<Runnable, 'commit' | 'definition'>, input: string): Promise<string | null> => {
    const fault = await wrong(runnable, [new JsonSource(input)]);
    return fault === null ? null : `the input does not match the schema: ${fault}`;
  };
};

/** Why a JSON text does not match a schema, which the thread keeps compiled by its hash; null: it does. */
export const schemaMismatch =
  (offload: Pick<Offload, 'call'>) =>
  async (schema: unknown, text: string): Promise<string | null> => {
    const source = JSON.stringify(schema);
    const commit = `schema:${createHash('sha256').update(source).digest('hex')}`;
    try {
      await offload.call('inputs', { inputs: packTexts([text]), schema: { commit, schema: source } });
      return null;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'INPUT_INVALID') throw error;
      return (error.errors ?? [])
        .map(({ pointer, message }) => `${pointer.replace(/^\/inputs/, '').replace(/^\/0/, '') || '/'} ${message}`)
        .join('; ');
    }
  };
