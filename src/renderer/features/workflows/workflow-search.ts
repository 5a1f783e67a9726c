import { ENVIRONMENTS, type Environment } from '../../../contract/vocabulary.ts';
import { pageIn, sizeIn, textIn, wordIn, keyed } from '../../ui/search-params.ts';

export const WORKFLOW_TABS = [
  'editor',
  'runs',
  'metrics',
  'versions',
  'publish',
  'schedules',
  'try',
  'tests',
  'keys',
  'webhooks',
] as const;
export type WorkflowTab = (typeof WORKFLOW_TABS)[number];
export const DIFF_VIEWS = ['canvas', 'changes', 'text'] as const;
export type DiffView = (typeof DIFF_VIEWS)[number];

/** How a draft is edited: on the canvas, on the canvas with its text beside, as text alone. */
export const EDIT_VIEWS = ['canvas', 'split', 'json'] as const;
export type EditView = (typeof EDIT_VIEWS)[number];

/** View state of one workflow. */
export interface WorkflowSearch {
  /** Absent: the editor. */
  tab?: WorkflowTab;
  /** Editor: absent: the canvas. */
  edit?: EditView;
  /** Editor: the node that is selected. */
  node?: string;
  /** Editor and publish: the failed task that is debugged. */
  debug?: string;
  /** Editor: what the test cases reach is drawn on the canvas. */
  coverage?: 'on';
  /** Versions: the one that is open. Publish: the one that is chosen. */
  version?: string;
  /** Versions: the two that are compared. */
  from?: string;
  to?: string;
  /** How a difference is shown; absent: on the canvas. */
  view?: DiffView;
  /** Publish: the environment whose form is open. Try it: where the call goes. */
  environment?: Environment;
  /** Schedules: the one that is open. */
  schedule?: string;
  page?: number;
  size?: number;
}

/** Hashes, whole or shortened. All digits would have been read as a number. */
function hashIn<K extends string>(input: Record<string, unknown>, key: K): { [P in K]?: string } {
  const text = String(input[key] ?? '');
  return keyed(key, /^[0-9a-f]{4,40}$/.test(text) ? text : undefined);
}

export function parseWorkflowSearch(input: Record<string, unknown>): WorkflowSearch {
  return {
    ...wordIn(input, 'tab', WORKFLOW_TABS),
    ...wordIn(input, 'edit', EDIT_VIEWS),
    ...textIn(input, 'node'),
    ...textIn(input, 'debug'),
    ...wordIn(input, 'coverage', ['on'] as const),
    ...hashIn(input, 'version'),
    ...hashIn(input, 'from'),
    ...hashIn(input, 'to'),
    ...wordIn(input, 'view', DIFF_VIEWS),
    ...wordIn(input, 'environment', ENVIRONMENTS),
    ...textIn(input, 'schedule'),
    ...pageIn(input),
    ...sizeIn(input),
  };
}
