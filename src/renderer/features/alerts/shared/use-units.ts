import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PanelUnit } from '../../../../contract/vocabulary.ts';
import { rulesQuery } from '../../../api/alerts.ts';
import { unitForRule } from './value-text.ts';

/** The unit of each rule's values, by its id. */
export function useUnits(): ReadonlyMap<string, PanelUnit> {
  const { data } = useQuery(rulesQuery({ page: 0, size: 500 }));
  return useMemo(() => new Map(data?.items.map((rule) => [rule.id, unitForRule(rule)])), [data]);
}
