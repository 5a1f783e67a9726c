import type { Definition, DefinitionFault as GraphFault } from '../../contract/definition.ts';
import { buildGraph } from '../../contract/graph.ts';
import { Fault } from '../../lib/fault.ts';
import { blobId } from '../../lib/git.ts';
import { parseJson } from '../../lib/json.ts';
import type { ReadHandle } from '../store/port.ts';
import { dataDamaged } from '../store/whole.ts';
import type { Endpoint, Runnable } from './port.ts';
import { workflowCalls, selfCalls } from './check-calls.ts';
import { CHECKER_VERSION } from './prepare-definition.ts';
import { definitionFaults, type VersionRow } from './rows.ts';
import { LARGE_SCHEMA_COST, schemaCost, type InputCheck, type SchemaCompiler } from './schema/compile.ts';

/** Definitions longer than this are checked and compared in the thread. */
export const LARGE_DEFINITION_CHARACTERS = 32 * 1024;

type Version = Pick<VersionRow, 'hash' | 'workflow_id' | 'blob' | 'faults' | 'checker'>;
export type Published = Extract<Endpoint, { found: 'published' }>;
interface Made {
  readonly published: Published;
  /** Of its text. */
  readonly characters: number;
}

/** Commits made ready to run: parsed, checked and compiled once. The latest used are kept: `most` of them, of `mostCharacters` of text together. */
export function createRunnables({
  read,
  schemas,
  check,
  most,
  mostCharacters,
}: {
  read: ReadHandle;
  schemas: SchemaCompiler;
  check(definition: Definition): GraphFault[];
  most: number;
  mostCharacters: number;
}) {
  const ready = new Map<string, Made>();
  let characters = 0;

  function make(row: Version): Made {
    const text = readDefinitionText(read, row.blob);
    const definition = parseJson<Definition>(text);
    const faults =
      row.checker === CHECKER_VERSION
        ? definitionFaults(row)
        : [...check(definition), ...selfCalls(workflowCalls(definition), row.workflow_id)];
    if (faults.length > 0) throw invalid(row.hash, faults);
    return ofDefinition(row.workflow_id, row.hash, definition, text.length);
  }

  function ofDefinition(workflowId: string, commit: string, definition: Definition, characters: number): Made {
    const { input } = definition;
    const heavySchema = input !== undefined && schemaCost(input) > LARGE_SCHEMA_COST;
    let compiled: InputCheck | undefined;
    const compile = () => {
      const found = input === undefined ? null : schemas.compile(input);
      return found?.faults === null ? found.check : () => null;
    };
    if (!heavySchema) compiled = compile();
    const checkInput: Runnable['checkInput'] = (value, budget) => (compiled ??= compile())(value, budget);
    return {
      published: {
        found: 'published',
        runnable: {
          workflowId,
          commit,
          definition,
          graph: buildGraph(definition),
          largeSchema: heavySchema,
          checkInput,
        },
      },
      characters,
    };
  }

  function keep(hash: string, made: () => Made): Published {
    let known = ready.get(hash);
    if (known === undefined) {
      known = made();
      ready.set(hash, known);
      characters += known.characters;
      for (const [oldest, one] of ready) {
        // What is about to run is kept, however large.
        if ((ready.size <= most && characters <= mostCharacters) || oldest === hash) break;
        ready.delete(oldest);
        characters -= one.characters;
      }
    } else if (ready.size * 2 > most || characters * 2 > mostCharacters) {
      // Only a cache that fills up needs to know what was used last.
      ready.delete(hash);
      ready.set(hash, known);
    }
    return known.published;
  }

  return {
    /** By full hash. Throws INVALID_DAG where the commit has faults. */
    get: (hash: string, row: () => Version): Published => keep(hash, () => make(row())),
    /** What was not saved as a version, from its text; it was checked before. */
    draft(workflowId: string, hash: string, text: () => string): Runnable {
      const made = (known: string) => ofDefinition(workflowId, hash, parseJson<Definition>(known), known.length);
      return keep(hash, () => made(text())).runnable;
    },
    /** The commit where it is ready already: no look into the store. */
    peek(workflowId: string, hash: string): Runnable | null {
      const known = ready.get(hash)?.published.runnable;
      return known?.workflowId === workflowId ? known : null;
    },
  };
}

export const readDefinition = (read: ReadHandle, blob: string): Definition =>
  parseJson<Definition>(readDefinitionText(read, blob));

/** The canonical text. Throws DATA_DAMAGED where it does not have the id under which it is kept. */
export function readDefinitionText(read: ReadHandle, blob: string): string {
  const row = read.query<{ text: string }>('SELECT text FROM definition WHERE blob = ?').get(blob);
  if (!row || blobId(row.text) !== blob) throw dataDamaged(`the workflow definition ${blob}`);
  return row.text;
}

export function invalid(hash: string, faults: readonly GraphFault[]): Fault {
  return new Fault(
    'INVALID_DAG',
    `commit ${hash} has ${faults.length === 1 ? 'a problem' : `${faults.length} problems`}: ${faults[0]?.message ?? ''}; save a corrected version`,
    {
      errors: faults.map(({ pointer, message }) => ({ pointer, message })),
    },
  );
}
