import { WORKER_STATES, type WorkerState } from '../../../contract/vocabulary.ts';
import { pageIn, sizeIn, textIn, wordsIn } from '../../ui/search-params.ts';

/** View state of the workers page. */
export interface WorkersSearch {
  page?: number;
  size?: number;
  sort?: string;
  state?: WorkerState[];
  /** Opens its panel. */
  worker?: string;
}

export function parseWorkersSearch(input: Record<string, unknown>): WorkersSearch {
  return {
    ...pageIn(input),
    ...sizeIn(input),
    ...textIn(input, 'sort'),
    ...wordsIn(input, 'state', WORKER_STATES),
    ...textIn(input, 'worker'),
  };
}
