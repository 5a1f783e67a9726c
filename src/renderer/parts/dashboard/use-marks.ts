import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { auditQuery } from '../../api/access.ts';
import type { MarkKind } from '../../../contract/dashboard.ts';
import type { ChartMark } from '../../ui/Chart.tsx';

const MOST = 200;
const WORDS: Readonly<Record<Exclude<MarkKind, 'alerts'>, { action: string; tone: ChartMark['tone']; say(target: string, after: unknown): string }>> = {
  publications: { action: 'workflow.publish', tone: 'late', say: (target, after) => `published ${nameOf(target)}${wordOf(after, 'environment') ? ` to ${wordOf(after, 'environment')}` : ''}` },
  kills: { action: 'job.kill', tone: 'fail', say: (target) => `killed ${nameOf(target)}` },
};

const nameOf = (target: string): string => target.slice(target.indexOf(':') + 1);
const wordOf = (after: unknown, key: string): string => (after !== null && typeof after === 'object' ? String((after as Record<string, unknown>)[key] ?? '') : '');

/** What was published and killed, as marks for charts; read anew with the panels. */
export function useMarks(kinds: readonly MarkKind[], refreshMs: number): readonly ChartMark[] {
  const ask = (kind: keyof typeof WORDS) => ({ ...auditQuery({ action: WORDS[kind].action, page: 0, size: MOST }), enabled: kinds.includes(kind), refetchInterval: refreshMs === 0 ? (false as const) : Math.max(refreshMs, 15_000) });
  const publications = useQuery(ask('publications'));
  const kills = useQuery(ask('kills'));
  return useMemo(
    () => ([['publications', publications.data], ['kills', kills.data]] as const).flatMap(([kind, data]) => (data?.items ?? []).map(({ at, target, after }) => ({ at: Date.parse(at) / 1000, label: WORDS[kind].say(target, after), tone: WORDS[kind].tone }))),
    [publications.data, kills.data],
  );
}
