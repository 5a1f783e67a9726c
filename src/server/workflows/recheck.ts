import type { Definition } from '../../contract/definition.ts';
import { Fault } from '../../lib/fault.ts';
import { parseJson } from '../../lib/json.ts';
import type { WorkflowDeps } from './deps.ts';
import type { Workflows } from './port.ts';
import { CHECKER_VERSION } from './prepare-definition.ts';
import { findVersion, type VersionRow } from './rows.ts';
import { LARGE_SCHEMA_COST, schemaCost } from './schema/compile.ts';
import { readDefinitionText, LARGE_DEFINITION_CHARACTERS } from './runnables.ts';

/** Definitions that are large or have a costly input schema, and that an older checker found faults in, or none, are checked again in the thread before they are run. */
export function createRecheck({
  store,
  check,
  offload,
  runnables,
}: Pick<WorkflowDeps, 'store' | 'check' | 'offload' | 'runnables'>): Workflows['recheck'] {
  const { read } = store;

  async function again(row: VersionRow): Promise<void> {
    if (row.checker === CHECKER_VERSION || runnables.peek(row.workflow_id, row.hash)) return;
    const text = readDefinitionText(read, row.blob);
    if (
      text.length <= LARGE_DEFINITION_CHARACTERS &&
      schemaCost(parseJson<Definition>(text).input ?? true) <= LARGE_SCHEMA_COST
    )
      return;
    const faults = offload ? await offload.call('definition', { text }) : check(parseJson<Definition>(text));
    await store.write((db) =>
      db
        .statement('UPDATE version SET faults = ?, checker = ? WHERE hash = ?')
        .run(JSON.stringify(faults), CHECKER_VERSION, row.hash),
    );
  }

  return async (workflowId, hash) => {
    if (workflowId !== undefined && hash !== undefined) return again(findVersion(read, workflowId, hash));
    const published = 'SELECT * FROM version WHERE checker <> ? AND hash IN (SELECT hash FROM pointer)';
    for (const row of read.query<VersionRow>(published).all(CHECKER_VERSION)) {
      // One that is damaged is refused when it is called; the others go on.
      await again(row).catch((error: unknown) => {
        if (!(error instanceof Fault && error.code === 'DATA_DAMAGED')) throw error;
      });
    }
  };
}
