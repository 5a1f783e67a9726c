/**
 * Undo and redo over the text of a draft. One step is one gesture, however many nodes it touched; typing without a rest is
 * one step. Bounded by steps and by characters: the oldest go first. Pure values, so that a store can hold them.
 */
export interface Step {
  /** The text before the step, or after it where it was undone. */
  readonly text: string;
  /** What the step did, for people. */
  readonly label: string;
}
export interface History {
  /** The oldest first. */
  readonly past: readonly Step[];
  /** The next to be done again last. */
  readonly future: readonly Step[];
  /** What goes on where the next step is of the same kind and comes soon: a word for the kind and when it last went on (milliseconds). */
  readonly open: { readonly kind: string; readonly at: number } | null;
}

export const MAX_STEPS = 200;
export const MAX_CHARACTERS = 8_000_000;
/** Milliseconds of rest after which typing is a new step. */
export const NEW_STEP_AFTER_MS = 1000;

export const emptyHistory: History = { past: [], future: [], open: null };

/** The text changed from `before`. `kind`: steps of one kind within `REST` of each other become one; absent: a step of its own. */
export function recordStep(
  history: History,
  before: string,
  step: { label: string; kind?: string | undefined; at: number },
): History {
  const { kind, at } = step;
  const goesOn =
    kind !== undefined &&
    history.open?.kind === kind &&
    at - history.open.at <= NEW_STEP_AFTER_MS &&
    history.past.length > 0;
  const past = goesOn ? history.past : bounded([...history.past, { text: before, label: step.label }]);
  return { past, future: [], open: kind === undefined ? null : { kind, at } };
}

/** The newest step taken back, or null where there is none. `text`: what is shown now. */
export function undoStep(history: History, text: string): { history: History; text: string; label: string } | null {
  const step = history.past.at(-1);
  if (!step) return null;
  return {
    text: step.text,
    label: step.label,
    history: { past: history.past.slice(0, -1), future: [...history.future, { text, label: step.label }], open: null },
  };
}

/** The step that was taken back last, done again. */
export function redoStep(history: History, text: string): { history: History; text: string; label: string } | null {
  const step = history.future.at(-1);
  if (!step) return null;
  return {
    text: step.text,
    label: step.label,
    history: { past: [...history.past, { text, label: step.label }], future: history.future.slice(0, -1), open: null },
  };
}

function bounded(steps: readonly Step[]): readonly Step[] {
  let from = Math.max(0, steps.length - MAX_STEPS);
  let characters = steps.slice(from).reduce((sum, step) => sum + step.text.length, 0);
  // The newest step stays, however long its text is.
  while (characters > MAX_CHARACTERS && from < steps.length - 1) characters -= steps[from++]?.text.length ?? 0;
  return from === 0 ? steps : steps.slice(from);
}
