import type { ShadowIgnores, ShadowReplay, ShadowResult, ShadowWhere } from '../../contract/shadow-replays.ts';
import type { Page } from '../../contract/shapes.ts';
import type { ShadowVerdict, Environment } from '../../contract/vocabulary.ts';
import type { Actor } from '../workflows/port.ts';

/** Inputs that an environment was given, run against another commit (docs/publishing.md). All throw SHADOW_NOT_FOUND for an id that is none. */
export interface Shadow {
  /** Throws WORKFLOW_NOT_FOUND, COMMIT_NOT_FOUND, INVALID_DAG, VALIDATION_FAILED, and OVERLOADED where too many run. */
  start(
    workflowId: string,
    ask: { commit: string; environment: Environment; count?: number; where?: ShadowWhere },
    actor: Actor,
  ): Promise<ShadowReplay>;
  list(workflowId: string, query: { page: number; size: number; commit?: string }): Promise<Page<ShadowReplay>>;
  get(id: string): ShadowReplay;
  results(id: string, query: { page: number; size: number; verdict?: ShadowVerdict }): Page<ShadowResult>;
  /** JSON text of a `ShadowDetail`: large outputs are not parsed. */
  resultText(id: string, number: number): string;
  abort(id: string, actor: Actor): Promise<ShadowReplay>;
  ignores(workflowId: string): Promise<ShadowIgnores>;
  ignore(workflowId: string, ignores: ShadowIgnores, actor: Actor): Promise<ShadowIgnores>;
  /** Stops what runs; it goes on with the next start of the master. */
  close(): Promise<void>;
}
