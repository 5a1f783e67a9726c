import type { Definition } from '../../contract/definition.ts';
import { isDraftId, workflowIdForDraft } from '../../contract/draft-ids.ts';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/port.ts';
import type { Feed } from '../feed/port.ts';
import type { Offload } from '../offload/port.ts';
import type { Store } from '../store/port.ts';
import { workflowCalls, callWarnings, selfCalls } from './check-calls.ts';
import { checkDefinition } from './check.ts';
import { createDrafts, draftText } from './drafts.ts';
import { loadPublicationCache } from './publication-cache.ts';
import type { WorkflowDeps } from './deps.ts';
import type { Endpoint, Workflows } from './port.ts';
import { prepareDefinition } from './prepare-definition.ts';
import { createRecheck } from './recheck.ts';
import { neverApproved } from './protection.ts';
import { createPublications } from './publications.ts';
import { createRecords } from './records.ts';
import { findVersion, notFound } from './rows.ts';
import { createRunnables } from './runnables.ts';
import { createSchemaCompiler, LARGE_SCHEMA_COST, schemaCost } from './schema/compile.ts';
import { createVersionTags } from './version-tags.ts';
import { createVersions } from './versions.ts';

export interface WorkflowsOptions {
  store: Store;
  clock: Clock;
  feed: Feed;
  audit: Pick<Access['audit'], 'record'>;
  limits?: Readonly<Limits>;
  /** Takes large definitions off the event loop. */
  offload?: Pick<Offload, 'call'>;
  /** True where what is published changes only with a second person. Default: nowhere. */
  isProtected?(environment: Environment): boolean;
}

const UNKNOWN: Endpoint = { found: 'workflow-unknown' };
const NOT_PUBLISHED: Endpoint = { found: 'not-published' };

/** Workflows, their versions, and what is published. */
export function createWorkflows({
  store,
  clock,
  feed,
  audit,
  limits = LIMITS,
  offload,
  isProtected = () => false,
}: WorkflowsOptions): Workflows {
  const schemas = createSchemaCompiler({ schemaBytes: limits.schemaBytes, steps: limits.schemaSteps });
  const check = (definition: Definition) =>
    checkDefinition(definition, { schemas, definitionNodes: limits.definitionNodes });
  const live = loadPublicationCache(store.read);
  const runnables = createRunnables({
    read: store.read,
    schemas,
    check,
    most: limits.runnableCommits,
    mostCharacters: limits.runnableBytes,
  });
  const parts: WorkflowDeps = {
    ...{ store, clock, feed, audit, limits, live, runnables, check, isProtected },
    offload: offload ?? null,
  };

  /** To compile some input schemas takes longer than their size tells: that is left to the thread. */
  const apart = ({ input }: Definition) =>
    input === undefined || schemaCost(input) <= LARGE_SCHEMA_COST ? undefined : offload;
  const faults = async (definition: Definition) =>
    (await apart(definition)?.call('definition', { text: JSON.stringify(definition) })) ?? check(definition);
  const prepare = async (definition: Definition) =>
    (await apart(definition)?.call('prepare', { text: JSON.stringify(definition) })) ??
    prepareDefinition(definition, { check, definitionBytes: limits.definitionBytes });

  return {
    ...createRecords(parts),
    ...createVersions({ ...parts, prepare }),
    ...createVersionTags(parts),
    ...createPublications(parts),
    recheck: createRecheck(parts),
    check: async (definition, workflowId) => [
      ...(await faults(definition)),
      ...selfCalls(workflowCalls(definition), workflowId),
    ],
    callWarnings: (calls) => callWarnings(calls, live.hash),
    limits: live.limits,
    watchLimits: live.watchLimits,
    prepare,
    endpoint(workflowId, environment) {
      const hash = live.hash(workflowId, environment);
      if (hash === undefined) return UNKNOWN;
      if (hash === null) return NOT_PUBLISHED;
      return runnables.get(hash, () => findVersion(store.read, workflowId, hash));
    },
    neverApproved: neverApproved(parts),
    ...createDrafts(parts),
    runnable(workflowId, hashOrPrefix) {
      const ready = runnables.peek(workflowId, hashOrPrefix);
      if (ready) return ready;
      if (isDraftId(workflowId))
        return runnables.draft(workflowId, hashOrPrefix, () =>
          draftText(store.read, workflowIdForDraft(workflowId), hashOrPrefix),
        );
      if (
        live.hash(workflowId, 'dev') === undefined &&
        store.read.query('SELECT 1 FROM workflow WHERE id = ?').get(workflowId) === undefined
      )
        throw notFound(workflowId);
      const version = findVersion(store.read, workflowId, hashOrPrefix);
      return runnables.get(version.hash, () => version).runnable;
    },
  };
}
