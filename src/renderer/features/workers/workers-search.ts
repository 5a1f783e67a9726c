import { WORKER_STATES, type WorkerState } from '../../../contract/vocabulary.ts';
import { pageIn, sizeIn, textIn, wordsIn } from '../../ui/search-params.ts';

/** View state of the workers page. */
export interface WorkersSearch {
  page?: number;
  size?: number;
  sort?: string;
  state?: WorkerState[];
  /** Words in ID, URL, labels or handlers. */
  q?: string;
  /** With those that stopped in order or were replaced. */
  past?: true;
  /** Opens its panel. */
  worker?: string;
  /** The dialog for a new one is open. */
  add?: true;
}

export function parseWorkersSearch(input: Record<string, unknown>): WorkersSearch {
  return {
    ...pageIn(input),
    ...sizeIn(input),
    ...textIn(input, 'sort'),
    ...wordsIn(input, 'state', WORKER_STATES),
    ...(input['past'] === true ? { past: true as const } : {}),
    ...textIn(input, 'q'),
    ...textIn(input, 'worker'),
    ...(input['add'] === true ? { add: true as const } : {}),
  };
}
