import { DEFAULT_PROJECT } from '../../contract/actions.ts';

/** A column for what is not in the default project; none where all is. */
export function projectColumn(items: readonly { readonly project?: string }[]) {
  const isShown = items.some(({ project = DEFAULT_PROJECT }) => project !== DEFAULT_PROJECT);
  return {
    head: isShown ? ['project'] : [],
    cell: ({ project }: { readonly project?: string }): (string | null)[] => (isShown ? [project ?? null] : []),
  };
}
