import { isRecord } from '../../../lib/is-record.ts';
import { t } from '../../../lib/language.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { alertHistoryQuery } from '../../api/alerts.ts';
import { auditQuery } from '../../api/access.ts';
import type { MarkKind } from '../../../contract/vocabulary.ts';
import type { ChartAnnotation } from '../../ui/chart-props.ts';

const MOST = 200;
const WORDS: Readonly<
  Record<
    Exclude<MarkKind, 'alerts'>,
    { action: string; tone: ChartAnnotation['tone']; say(target: string, after: unknown): string }
  >
> = {
  publications: {
    action: 'workflow.publish',
    tone: 'late',
    say: (target, after) =>
      wordOf(after, 'environment')
        ? t('published {name} to {environment}', { name: nameOf(target), environment: wordOf(after, 'environment') })
        : t('published {name}', { name: nameOf(target) }),
  },
  kills: { action: 'job.kill', tone: 'fail', say: (target) => t('killed {name}', { name: nameOf(target) }) },
};

const nameOf = (target: string): string => target.slice(target.indexOf(':') + 1);
const wordOf = (after: unknown, key: string): string => (isRecord(after) ? String(after[key] ?? '') : '');

export interface DashboardAnnotation extends ChartAnnotation {
  readonly kind: MarkKind;
}

/** What was published and killed, and alerts that began to fire, as marks for charts; read anew with the panels. */
export function useChartAnnotations(kinds: readonly MarkKind[], refreshMs: number): readonly DashboardAnnotation[] {
  const ask = (kind: keyof typeof WORDS) => ({
    ...auditQuery({ action: WORDS[kind].action, page: 0, size: MOST }),
    enabled: kinds.includes(kind),
    refetchInterval: refreshMs === 0 ? (false as const) : Math.max(refreshMs, 15_000),
  });
  const publications = useQuery(ask('publications'));
  const kills = useQuery(ask('kills'));
  const changes = useQuery({
    ...alertHistoryQuery({ page: 0, size: MOST, kind: 'state' }),
    enabled: kinds.includes('alerts'),
    refetchInterval: refreshMs === 0 ? false : Math.max(refreshMs, 15_000),
  });
  return useMemo(
    () => [
      ...(
        [
          ['publications', publications.data],
          ['kills', kills.data],
        ] as const
      ).flatMap(([kind, data]) =>
        (data?.items ?? []).map(({ at, target, after }) => ({
          at: Date.parse(at) / 1000,
          label: WORDS[kind].say(target, after),
          tone: WORDS[kind].tone,
          kind,
        })),
      ),
      ...(changes.data?.items ?? []).flatMap(({ at, to, ruleName }): DashboardAnnotation[] =>
        to === 'Alerting'
          ? [
              {
                at: Date.parse(at) / 1000,
                label: ruleName === null ? t('alert: deleted rule') : t('alert: {ruleName}', { ruleName }),
                tone: 'fail',
                kind: 'alerts',
              },
            ]
          : [],
      ),
    ],
    [publications.data, kills.data, changes.data],
  );
}
