import type { Definition, Fault as GraphFault } from '../../contract/definition.ts';
import { graphOf } from '../../contract/graph.ts';
import { Fault } from '../../lib/fault.ts';
import { parseJson } from '../../lib/json.ts';
import type { ReadHandle } from '../store/port.ts';
import type { Endpoint, Runnable } from './port.ts';
import type { VersionRow } from './rows.ts';
import type { SchemaCompiler } from './schema/compile.ts';

export type Published = Extract<Endpoint, { found: 'published' }>;

/** Commits made ready to run: parsed, checked and compiled once, the latest used `most` of them kept. */
export function createRunnables({ read, schemas, check, most }: { read: ReadHandle; schemas: SchemaCompiler; check(definition: Definition): GraphFault[]; most: number }) {
  const ready = new Map<string, Published>();

  function make(row: Pick<VersionRow, 'hash' | 'workflow_id' | 'blob'>): Published {
    const definition = definitionOf(read, row.blob);
    const faults = check(definition);
    if (faults.length > 0) throw invalid(row.hash, faults);
    const compiled = definition.input === undefined ? null : schemas.compile(definition.input);
    const checkInput: Runnable['checkInput'] = compiled?.faults === null ? compiled.check : () => null;
    return { found: 'published', runnable: { workflowId: row.workflow_id, commit: row.hash, definition, graph: graphOf(definition), checkInput } };
  }

  return {
    /** By full hash. Throws INVALID_DAG where the commit has faults. */
    get(hash: string, row: () => Pick<VersionRow, 'hash' | 'workflow_id' | 'blob'>): Published {
      let known = ready.get(hash);
      if (known === undefined) {
        known = make(row());
        ready.set(hash, known);
        for (const oldest of ready.keys()) {
          if (ready.size <= most) break;
          ready.delete(oldest);
        }
      } else if (ready.size * 2 > most) {
        // Only a cache that fills up needs to know what was used last.
        ready.delete(hash);
        ready.set(hash, known);
      }
      return known;
    },
    /** The commit where it is ready already: no look into the store. */
    peek(workflowId: string, hash: string): Runnable | null {
      const known = ready.get(hash)?.runnable;
      return known?.workflowId === workflowId ? known : null;
    },
  };
}

export function definitionOf(read: ReadHandle, blob: string): Definition {
  const row = read.query<{ text: string }>('SELECT text FROM definition WHERE blob = ?').get(blob);
  if (!row) throw new Error(`the definition ${blob} is not in the store`);
  return parseJson(row.text) as Definition;
}

export function invalid(hash: string, faults: readonly GraphFault[]): Fault {
  return new Fault('INVALID_DAG', `the commit ${hash} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}: ${faults[0]?.message ?? ''}; save a version without it`, {
    errors: faults.map(({ pointer, message }) => ({ pointer, message })),
  });
}
