import { Button, Stack } from '@mantine/core';
import { IconAlertTriangle, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { FOUND_KINDS } from '../../../shell/palette/found-kinds.ts';
import { type Cluster, fleetSearchQuery } from '../../../stores/fleet.ts';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import states from '../../../ui/States.module.css';
import css from './Fleet.module.css';

/** What each cluster finds, shown as soon as it answers. */
export function SearchResults({
  clusters,
  text,
  onOpen,
}: {
  clusters: readonly Cluster[];
  text: string;
  onOpen(cluster: Cluster, path: string): void;
}): ReactNode {
  return (
    <Stack gap="var(--gap)">
      {clusters.map((cluster) => (
        <Found key={cluster.id} cluster={cluster} text={text} onOpen={onOpen} />
      ))}
    </Stack>
  );
}

function Found({
  cluster,
  text,
  onOpen,
}: {
  cluster: Cluster;
  text: string;
  onOpen(cluster: Cluster, path: string): void;
}): ReactNode {
  const { data, error, isPending, isFetching, refetch } = useQuery(fleetSearchQuery(cluster.id, text));
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), 1000);
    return () => clearTimeout(timer);
  }, [text]);
  const problem = error instanceof Error ? error.message : (data?.problem ?? null);
  const hits = data?.hits ?? [];
  return (
    <Section
      title={
        <span className={css['cluster']}>
          <span className={css['swatch']} style={{ '--swatch': cluster.colour ?? 'transparent' }} aria-hidden />
          {cluster.name}
          {data && problem === null && hits.length > 0 && (
            <span className="dim">{tn('{count} result', '{count} results', hits.length)}</span>
          )}
        </span>
      }
    >
      <div aria-live="polite">
        {isPending &&
          (slow ? (
            <p className="dim">{t('No response yet. Results from other clusters are not delayed.')}</p>
          ) : (
            <SkeletonLines lines={1} />
          ))}
        {problem !== null && (
          <div className={states['line']} data-shade="warn">
            <IconAlertTriangle size={16} aria-hidden />
            <span>{t('Search failed: {problem}', { problem })}</span>
            <Button size="compact-xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
              {t('Try again')}
            </Button>
          </div>
        )}
        {data && problem === null && hits.length === 0 && (
          <p className="dim">
            <IconSearchOff size={14} aria-hidden /> {t('No results here.')}
          </p>
        )}
      </div>
      <ul className={`bare hits ${css['found']}`}>
        {hits.map((hit) => {
          const { icon: Icon, word } = FOUND_KINDS[hit.kind];
          return (
            <li key={`${hit.kind} ${hit.id}`}>
              <button type="button" onClick={() => onOpen(cluster, hit.path)}>
                <Icon size={16} aria-hidden />
                <span className={css['kind']}>{word()}</span>
                <span className="clip">{hit.label}</span>
                <span className={css['detail']}>{hit.detail}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
