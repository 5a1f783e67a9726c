import {
  type Environment,
  type FailureStatus,
  ENVIRONMENTS,
  FAILURE_SORTS,
  FAILURE_STATUSES,
} from '../../../contract/vocabulary.ts';
import { pageIn, sizeIn, textIn, wordIn } from '../../ui/search-params.ts';

/** View state of the failure groups. `status` absent: the open ones; `all`: whatever was decided. `group` opens the panel. */
export interface FailuresSearch {
  status?: FailureStatus | 'all';
  workflow?: string;
  /** Text in the message, node or code. */
  q?: string;
  environment?: Environment;
  node?: string;
  code?: string;
  sort?: string;
  page?: number;
  size?: number;
  group?: string;
}

export const parseFailuresSearch = (input: Record<string, unknown>): FailuresSearch => ({
  ...wordIn(input, 'status', [...FAILURE_STATUSES, 'all'] as const),
  ...textIn(input, 'workflow'),
  ...textIn(input, 'q'),
  ...wordIn(input, 'environment', ENVIRONMENTS),
  ...textIn(input, 'node'),
  ...textIn(input, 'code'),
  ...wordIn(
    input,
    'sort',
    FAILURE_SORTS.flatMap((field) => [`${field},asc`, `${field},desc`]),
  ),
  ...pageIn(input),
  ...sizeIn(input),
  ...textIn(input, 'group'),
});
