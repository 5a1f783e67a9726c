import type { Environment } from '../../contract/vocabulary.ts';
import type { Definition, DefinitionFault as GraphFault } from '../../contract/definition.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/port.ts';
import type { Feed } from '../feed/port.ts';
import type { Offload } from '../offload/port.ts';
import type { Store } from '../store/port.ts';
import type { PublicationCache } from './publication-cache.ts';
import type { createRunnables } from './runnables.ts';

/** What the files of this room share. */
export interface WorkflowDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly audit: Pick<Access['audit'], 'record'>;
  readonly limits: Readonly<Pick<Limits, 'definitionBytes' | 'definitionNodes'>>;
  /** True where what is published changes only with a second person. */
  isProtected(environment: Environment): boolean;
  readonly live: PublicationCache;
  readonly runnables: ReturnType<typeof createRunnables>;
  check(definition: Definition): GraphFault[];
  /** Takes large definitions; null: they are dealt with here. */
  readonly offload: Pick<Offload, 'call'> | null;
}
