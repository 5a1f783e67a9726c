import { type Action, type BuiltInRole, isBuiltInRole } from '../../../../contract/actions.ts';
import type { AccessRole } from '../../../../contract/projects.ts';
import { t } from '../../../../lib/language.ts';
import { ACTION_GROUPS, ACTION_WORDS } from '../../../stores/action-words.ts';

export const BUILT_IN_WORDS: Readonly<Record<BuiltInRole, string>> = {
  viewer: t('Sees everything, changes nothing'),
  operator: t('Runs jobs and workers, writes workflows, publishes to dev and staging'),
  author: t('Writes workflows and publishes to dev and staging'),
  publisher: t('Writes workflows and publishes everywhere'),
  admin: t('May do everything'),
};

/** What a role is for, in a line. */
export const roleSummary = ({ id, builtIn, description, actions }: AccessRole): string =>
  (builtIn && isBuiltInRole(id) ? BUILT_IN_WORDS[id] : description) ?? actionTexts(actions).join(', ');

/** What actions allow, in the order that a person reads them in. */
export const actionTexts = (actions: readonly Action[]): string[] =>
  ACTION_GROUPS.flatMap((group) => group.actions)
    .filter((action) => actions.includes(action))
    .map((action) => ACTION_WORDS[action]);

/** Where a grant holds. */
export function whereText(project: string | null, environments: readonly string[] | null): string {
  const place = project === null ? t('all projects') : t('project {project}', { project });
  return environments === null
    ? t('{place}, all environments', { place })
    : t('{place}, only {environments}', { place, environments: environments.join(', ') });
}
