import { METRIC_AGGREGATES } from '../../../contract/vocabulary.ts';
import { instantIn, textIn, textsIn, wordIn } from '../../ui/search-params.ts';
import { RANGE_NAMES } from './panels/range.ts';
import { type DashboardSearch, REFRESHES, varsIn } from './dashboard-search.ts';

type MetricAggregate = (typeof METRIC_AGGREGATES)[number];

/** View state of the page that explores metrics: its question and its time. */
export interface ExploreSearch extends Pick<DashboardSearch, 'range' | 'from' | 'to' | 'refresh'> {
  measurement?: string;
  field?: string;
  aggregate?: MetricAggregate;
  groupBy?: string[];
  filters?: Record<string, string[]>;
  panel?: string;
}

export function parseExploreSearch(input: Record<string, unknown>): ExploreSearch {
  const { vars: filters } = varsIn(input['filters']);
  return {
    ...wordIn(input, 'range', RANGE_NAMES),
    ...instantIn(input, 'from'),
    ...instantIn(input, 'to'),
    ...wordIn(input, 'refresh', REFRESHES),
    ...textIn(input, 'panel'),
    ...textIn(input, 'measurement'),
    ...textIn(input, 'field'),
    ...wordIn(input, 'aggregate', METRIC_AGGREGATES),
    ...textsIn(input, 'groupBy'),
    ...(filters === undefined ? {} : { filters: filters as Record<string, string[]> }),
  };
}
