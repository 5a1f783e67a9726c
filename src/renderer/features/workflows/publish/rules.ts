import { publishAction } from '../../../../contract/actions.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';
import type { Commit, EnvironmentPointer, Publication, Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import type { NamedVersion } from '../version-name.ts';
import { placeOf, type Rights, whyNot } from '../../../stores/permissions.ts';

const whyNoRight = (
  rights: Rights,
  workflow: Pick<Workflow, 'project'>,
  environment: Environment,
  what: string,
): string | null => whyNot(rights, publishAction(environment), placeOf(workflow, environment), what);

/** What the message is about that a version was saved and can be published. */
export const savedMessage = (workflowId: string): string => `saved ${workflowId}`;

export function whyNoPublish(
  rights: Rights,
  workflow: Pick<Workflow, 'project'>,
  environment: Environment,
  commit: Pick<Commit, 'valid'> | null,
): string | null {
  const denied = whyNoRight(rights, workflow, environment, t('Publishing to {environment}', { environment }));
  if (denied) return denied;
  if (commit === null) return t('No version yet. Save one in the builder.');
  return commit.valid ? null : t('This version has validation errors. Fix them in the builder and save a new version.');
}

export function whyNoUnpublish(
  rights: Rights,
  workflow: Pick<Workflow, 'project'>,
  pointer: EnvironmentPointer,
): string | null {
  if (pointer.hash === null) return t('Nothing is published there.');
  return whyNoRight(
    rights,
    workflow,
    pointer.environment,
    t('Unpublishing from {environment}', { environment: pointer.environment }),
  );
}

/** Why an entry of the log cannot be gone back to. */
export function whyNoRollBack(
  rights: Rights,
  workflow: Pick<Workflow, 'project'>,
  entry: Publication,
  current: string | null,
): string | null {
  if (entry.hash === null) return t('This entry unpublished the workflow.');
  if (entry.hash === current) return t('{environment} already runs this version.', { environment: entry.environment });
  return whyNoRight(
    rights,
    workflow,
    entry.environment,
    t('Publishing to {environment}', { environment: entry.environment }),
  );
}

/** The version that an environment or an entry of the log points to; null: none. */
export const versionOf = ({ hash, number }: { hash: string | null; number?: number | null }): NamedVersion | null =>
  hash === null ? null : { hash, number };

/** What an environment pointed to before its present version, by the newest entries of the log; null: nothing, or it is not known. */
export function versionBefore(
  { environment, hash }: EnvironmentPointer,
  log: readonly Publication[],
): NamedVersion | null {
  if (hash === null) return null;
  const before = log.find((entry) => entry.environment === environment && entry.hash !== null && entry.hash !== hash);
  return before ? versionOf(before) : null;
}

/** Whose calls a version for `environment` is tried on: its own, or of the one nearest to prod that has any version where it has none. */
export const calledIn = ({ environments }: Pick<Workflow, 'environments'>, environment: Environment): Environment => {
  const published = environments.filter((pointer) => pointer.hash !== null).map((pointer) => pointer.environment);
  return published.includes(environment) ? environment : (published.at(-1) ?? environment);
};

/** prod is confirmed by typing the workflow's id. */
export const confirmed = (environment: Environment, workflowId: string, typed: string): boolean =>
  environment !== 'prod' || typed.trim() === workflowId;
