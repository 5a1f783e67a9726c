import { createContext, useContext } from 'react';
import type { Commit, Workflow } from '../../../../contract/workflows.ts';

/** What the rows of the history need of the page around them. */
export interface VersionActions {
  readonly workflow: Workflow;
  readonly open: (hash: string) => void;
  readonly compare: (from: string, to: string) => void;
  /** Asks, then saves a version that is the same. */
  readonly restore: (commit: Commit) => void;
  /** Puts its text into the editor. */
  readonly load: (commit: Commit) => void;
  readonly publish: (hash: string) => void;
  /** Asks for a tag, and shows those that it has. */
  readonly tag: (commit: Commit) => void;
}

export const VersionActionsContext = createContext<VersionActions | null>(null);

export function useVersionActions(): VersionActions {
  const actions = useContext(VersionActionsContext);
  if (!actions) throw new Error('useVersionActions needs a VersionActionsContext above it');
  return actions;
}
