import { pageIn, sizeIn, textIn } from '../../ui/search-params.ts';

/** View state of the list. `schedule` opens its panel. */
export interface SchedulesSearch {
  page?: number;
  size?: number;
  workflow?: string;
  schedule?: string;
}

export const parseSchedulesSearch = (input: Record<string, unknown>): SchedulesSearch => ({
  ...pageIn(input),
  ...sizeIn(input),
  ...textIn(input, 'workflow'),
  ...textIn(input, 'schedule'),
});
