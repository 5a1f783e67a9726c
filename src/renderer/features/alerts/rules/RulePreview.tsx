import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { AlertRule, Preview } from '../../../../contract/alert-rules.ts';
import { t, tn } from '../../../../lib/language.ts';
import { previewQuery } from '../../../api/alerts.ts';
import { Chart } from '../../../ui/Chart.tsx';
import type { ChartSeries, ChartUnit } from '../../../ui/chart-props.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import { formatShare } from '../../../ui/number-text.ts';
import { CHART_UNITS } from '../../dashboards/chart-units.ts';
import { previewRequest, type RuleFields } from './rule-draft.ts';
import { distinctiveLabels } from '../shared/labels.ts';
import { unitForRule } from '../shared/value-text.ts';

const HEIGHT = 170;
const COLOURS = ['run', 'done', 'late', 'mixed', 'partial', 'sched'] as const;
const MOST = COLOURS.length;

/** The last hour as the rule would have seen it, with its threshold, while it is typed. */
export function RulePreview({ fields, rule }: { fields: RuleFields; rule: AlertRule | null }): ReactNode {
  const [typed] = useDebouncedValue(fields, 400);
  const body = useMemo(() => previewRequest(typed, rule), [typed, rule]);
  const { data, error } = useQuery(previewQuery(body));
  if (fields.source === 'engine' && body === null)
    return (
      <Text size="sm" c="dimmed">
        {t('The master keeps no history of this value, so there is nothing to chart.')}
      </Text>
    );
  if (error) return <ErrorLine error={error} />;
  if (!data || !body) return <SkeletonBlock height={HEIGHT} />;
  return (
    <div>
      <Drawn
        preview={data}
        unit={CHART_UNITS[unitForRule(body)]}
        low={Number(typed.value)}
        high={typed.op === 'within' || typed.op === 'outside' ? Number(typed.upper) : null}
      />
      <Text size="sm" role="status">
        {summary(data, typed)}
      </Text>
    </div>
  );
}

function Drawn({
  preview,
  unit,
  low,
  high,
}: {
  preview: Preview;
  unit: ChartUnit;
  low: number;
  high: number | null;
}): ReactNode {
  const times = useMemo(() => preview.times.map((at) => Date.parse(at) / 1000), [preview]);
  const series = useMemo(
    (): ChartSeries[] => [
      { label: t('threshold'), tone: 'fail', values: preview.times.map(() => low) },
      ...(high === null
        ? []
        : [{ label: t('upper bound'), tone: 'fail' as const, values: preview.times.map(() => high) }]),
      ...preview.series.slice(0, MOST).map(({ labels, values }, i) => ({
        label:
          distinctiveLabels(labels)
            .map(([, value]) => value || '–')
            .join(' ') || t('value'),
        tone: COLOURS[i] ?? ('run' as const),
        values,
      })),
    ],
    [preview, low, high],
  );
  return <Chart label={t('Rule preview, last hour')} times={times} series={series} unit={unit} height={HEIGHT} />;
}

function summary({ totalSeries, series, firing, times }: Preview, { noData }: RuleFields): string {
  if (totalSeries === 0)
    return noData === 'OK' || noData === 'KeepLast'
      ? t('The query returned no data for the last hour.')
      : t(
          'The query returned no data for the last hour, so the rule would fire now. If data will only arrive later, set “If no data” to OK.',
        );
  const firings = series.reduce((sum, one) => sum + one.firings, 0);
  const many =
    totalSeries > MOST
      ? `${t('{totalSeries} series, {MOST} shown.', { totalSeries, MOST })} `
      : totalSeries === 1
        ? ''
        : `${t('{totalSeries} series.', { totalSeries })} `;
  const share = formatShare(firing / Math.max(1, times.length));
  return (
    many +
    (firings === 0
      ? t('Would not have fired in the last hour.')
      : tn(
          'Would have fired once in the last hour, {share} of the time.',
          'Would have fired {count} times in the last hour, {share} of the time.',
          firings,
          { share },
        ))
  );
}
