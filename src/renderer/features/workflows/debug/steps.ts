const STEPS = ['run', 'save', 'publish', 'rerun'] as const;
export type DebugStep = (typeof STEPS)[number];

export interface DebugState {
  readonly isDirty: boolean;
  /** The version that the draft began from; it is another one once the change was saved. */
  readonly parent: string | null;
  readonly failedCommit: string;
  /** What the job's environment points to. */
  readonly published: string | null;
  /** The changed draft ran from the failed node to its end. */
  readonly hasRun: boolean;
}

/** What is done on the way from a failed task to a new run of its job, and what comes next. A draft can be saved without a run. */
export function debugSteps({ isDirty, parent, failedCommit, published, hasRun }: DebugState): {
  readonly all: readonly DebugStep[];
  readonly done: ReadonlySet<DebugStep>;
  readonly next: DebugStep;
} {
  const isSaved = !isDirty && parent !== null && parent !== failedCommit;
  const done = new Set<DebugStep>();
  if (hasRun) done.add('run');
  if (isSaved) done.add('save');
  if (isSaved && published === parent) done.add('publish');
  const next = done.has('publish') ? 'rerun' : isSaved ? 'publish' : hasRun && isDirty ? 'save' : 'run';
  return { all: STEPS, done, next };
}
