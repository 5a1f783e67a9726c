import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { LINK_SETTINGS, type LinkSetting } from '../../../../contract/settings.ts';
import { linkFor, linkValues } from '../../../../lib/link-pattern.ts';
import { t } from '../../../../lib/language.ts';
import { settingsQuery } from '../../../api/overview.ts';
import { desktop } from '../../../stores/desktop.ts';
import { useRecorded } from '../../../stores/recorded.ts';
import { useReach } from '../../../stores/role.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { useCurrentMinute } from '../list/use-current-minute.ts';
import css from './JobPage.module.css';

const NAMES: Readonly<Record<LinkSetting, string>> = {
  traceLink: t('Trace'),
  grafanaLink: 'Grafana',
  logsLink: t('Logs'),
};

export interface JobLink {
  readonly name: string;
  readonly url: string;
}

/** Links to the tools that the settings name; none where there are none, or the job lacks what a link needs. */
export function useJobLinks(job: Job): readonly JobLink[] {
  // An incident bundle has jobs, but no settings of its master.
  const recorded = useRecorded();
  const enabled = useReach('settings.get') && !recorded;
  const { data } = useQuery({ ...settingsQuery(), enabled });
  const minute = useCurrentMinute();
  if (!enabled || data === undefined) return [];
  const values = linkValues(job, minute * 60_000);
  return LINK_SETTINGS.flatMap((setting) => {
    const pattern = data.settings.find(({ name }) => name === setting)?.value;
    const url = typeof pattern === 'string' ? linkFor(pattern, values) : null;
    return url === null ? [] : [{ name: NAMES[setting], url }];
  });
}

export function JobLinks({ links }: { links: readonly JobLink[] }): ReactNode {
  return (
    <span className={css['links']}>
      {links.map(({ name, url }) => (
        <span key={name}>
          {desktop() !== null && url.startsWith('http:') ? (
            // The app opens https alone.
            <>
              <span title={url}>{name}</span>{' '}
              <CopyButton value={url} label={t('Copy link: {name}', { name })} size="xs" />
            </>
          ) : (
            <a href={url} target="_blank" rel="noopener noreferrer" title={url}>
              {name} <span aria-hidden>↗</span>
            </a>
          )}
        </span>
      ))}
    </span>
  );
}
