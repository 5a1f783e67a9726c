import { workflowIdForDraft } from '../../contract/draft-ids.ts';
import type { SecretScope, SecretScopeChange, SecretScopeInput } from '../../contract/secrets.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { SecretRun } from './port.ts';

/** The scope of a secret that was given none: whatever is published may use it. */
export const DEFAULT_SCOPE: SecretScope = { drafts: false };

/** As it is kept and shown: without the members that limit nothing. */
export const scopeOf = (given: SecretScopeInput): SecretScope => changedScope(DEFAULT_SCOPE, given);

/** What is left out of a change stays as it is; null lifts a limit. */
export const changedScope = (scope: SecretScope, change: SecretScopeChange): SecretScope => ({
  ...limit('workflows', change.workflows === undefined ? scope.workflows : change.workflows),
  ...limit('environments', change.environments === undefined ? scope.environments : change.environments),
  drafts: change.drafts ?? scope.drafts,
});

/** The environments that whoever manages it must have; null: all, since drafts have none. */
export const environmentsOf = ({ environments, drafts }: SecretScope): readonly Environment[] | null =>
  drafts ? null : (environments ?? null);

const limit = <K extends string, V>(name: K, value: V | null | undefined): { [N in K]?: V } =>
  (value === undefined || value === null ? {} : { [name]: value }) as { [N in K]?: V };

/**
 * Why a run may not use a secret of this scope; null: it may. `isPublished` is asked only where it matters: whether the
 * run's version was ever published to its environment.
 */
export function scopeRefusal(
  name: string,
  { workflows, environments, drafts }: SecretScope,
  run: SecretRun,
  isPublished: () => boolean,
): string | null {
  const workflowId = workflowIdForDraft(run.workflowId);
  if (workflows !== undefined && !workflows.includes(workflowId))
    return refusal(name, `it is only for ${list('workflow', workflows)}, and this job runs ${workflowId}`, WIDEN(name));
  if (run.environment !== null && environments !== undefined && !environments.includes(run.environment))
    return refusal(
      name,
      `it is only for ${list('environment', environments)}, and this job runs in ${run.environment}`,
      WIDEN(name),
    );
  if (drafts) return null;
  const allow = `or let an admin allow drafts with \`yardmaster secrets scope ${name} --drafts\``;
  if (run.kind === 'draft') return refusal(name, 'its scope excludes draft runs', `publish the version, ${allow}`);
  if (run.environment === null)
    return refusal(
      name,
      'its scope excludes versions that run without an environment',
      `publish the version and run it in its environment, ${allow}`,
    );
  return isPublished()
    ? null
    : refusal(
        name,
        `its scope excludes version ${run.commit.slice(0, 10)}, which was never published to ${run.environment}`,
        `publish it there, ${allow}`,
      );
}

/** What is said of a secret of another project: not which one that is. */
export const foreign = (name: string, run: SecretRun): string =>
  refusal(
    name,
    `it belongs to another project than workflow ${workflowIdForDraft(run.workflowId)}`,
    'use a secret of the same project, or let somebody who may manage both move it',
  );

const WIDEN = (name: string) => `an admin can change the scope with \`yardmaster secrets scope ${name}\``;

const refusal = (name: string, why: string, what: string): string => `secret ${name} is not available: ${why}; ${what}`;

/** Most names that a message spells out. */
const NAMED = 5;

const list = (noun: string, names: readonly string[]): string =>
  `${noun}${names.length === 1 ? '' : 's'} ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`;
