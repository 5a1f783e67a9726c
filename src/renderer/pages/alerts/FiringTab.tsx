import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowUpRight, IconBellOff, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { isHeldBack } from '../../../contract/alerts.ts';
import type { Alert } from '../../../contract/api-alerts.ts';
import { t } from '../../../lib/language.ts';
import { alertsQuery } from '../../api/alerts.ts';
import { firstLead, leadsOf } from '../../parts/alert-leads/leads.ts';
import { useRole } from '../../stores/role.ts';
import { type DataColumn, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Finder } from '../../ui/Finder.tsx';
import { RowAction } from '../../ui/RowAction.tsx';
import { RowLink } from '../../ui/RowLink.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import css from './AlertsPage.module.css';
import { rich } from '../../ui/rich.tsx';
import { pagesOf } from '../../ui/table/pages.ts';
import { SilenceDialog } from './SilenceDialog.tsx';
import { AlertBadge, HeldBack, SeverityBadge } from './tones.tsx';
import { numberWords, tellingLabels } from './words.ts';

const route = getRouteApi('/alerts');
const idOf = (alert: Alert) => alert.id;
const toneOf = (alert: Alert) => (isHeldBack(alert) || alert.state === 'Pending' ? ('muted' as const) : undefined);

/** What is wrong now, the worst first. */
export function FiringTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 50, q } = search;
  const query = useQuery(alertsQuery({ page, size, q }));
  const { whyOperate } = useRole();
  const silence = (id: string | undefined) => void navigate({ search: ({ silence: _old, ...rest }) => (id === undefined ? rest : { ...rest, silence: id }), replace: true });
  const columns = useMemo(() => columnsFor(whyOperate, silence), [whyOperate]);
  const chosen = query.data?.items.find((alert) => alert.id === search.silence);
  return (
    <>
      <div className={css['bar']}>
        <Finder value={q ?? ''} label={t('Find in the labels')} placeholder={t('Workflow, worker, label…')} onChange={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })} />
      </div>
      <DataTable
        fill
        label={t('Alerts')}
        what={t('The alerts could not be read')}
        storageKey="alerts"
        columns={columns}
        rows={query.data?.items}
        rowId={idOf}
        rowTone={toneOf}
        query={query}
        page={pagesOf(query.data, { page, size }, (change) => void navigate({ search: { ...search, ...change } }))}
        empty={
          <EmptyState icon={IconCircleCheck} title={q === undefined ? t('Nothing fires') : t('No alert matches')}>
            {q === undefined ? (
              <>
                {rich('Rules watch workers, failures, the queue and the disk already. {link}, or {link2}.', { link: <Link to="/alerts" search={{ tab: 'rules' }} className={css['link'] ?? ''}>{t('Look at the rules')}</Link>, link2: <Link to="/alerts" search={{ tab: 'channels' }} className={css['link'] ?? ''}>{t('say who is told')}</Link> })}
              </>
            ) : (
              t('No alert has this text in its labels.')
            )}
          </EmptyState>
        }
      />
      {chosen && <SilenceDialog alert={chosen} onClose={() => silence(undefined)} />}
    </>
  );
}

/** From the alert to what its labels name. */
function Leads({ alert }: { alert: Alert }): ReactNode {
  const navigate = useNavigate();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon size="sm" color="gray" aria-label={t('Where {value} leads', { value: alert.annotations['summary'] ?? alert.ruleName })} title={t('Look at what it is about')}>
          <IconArrowUpRight size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {leadsOf(alert).map(({ name, href }) => (
          <Menu.Item
            key={href}
            component="a"
            href={href}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              void navigate({ href });
            }}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void navigate({ to: '/alerts', search: { tab: 'rules', rule: alert.ruleId } })}>{t('Its rule')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function Labels({ labels }: { labels: Readonly<Record<string, string>> }): ReactNode {
  const telling = tellingLabels(labels);
  return (
    <span className={css['labels']} title={telling.map(([name, value]) => `${name}=${value}`).join('\n')}>
      {telling.map(([name, value]) => (
        <span key={name} className={css['label']}>
          <span className="dim">{name}=</span>
          {value}
        </span>
      ))}
    </span>
  );
}

const columnsFor = (whyNot: string | undefined, silence: (id: string) => void): readonly DataColumn<Alert>[] => [
  { id: 'state', header: t('State'), width: 124, cell: (alert) => <AlertBadge state={alert.state} /> },
  {
    id: 'alert',
    header: t('Alert'),
    width: 300,
    grow: true,
    pin: 'start',
    cell: (alert) => (
      <span className="clip" title={[alert.annotations['summary'], alert.annotations['description'], t('Rule: {ruleName}', { ruleName: alert.ruleName })].filter(Boolean).join('\n')}>
        <RowLink className={css['link'] ?? ''} href={firstLead(alert)}>
          {alert.annotations['summary'] ?? alert.ruleName}
        </RowLink>
      </span>
    ),
  },
  { id: 'severity', header: t('Severity'), width: 108, cell: (alert) => <SeverityBadge severity={alert.severity} /> },
  { id: 'value', header: t('Value'), width: 80, align: 'right', cell: (alert) => <span className="numbers">{numberWords(alert.value)}</span> },
  { id: 'since', header: t('Since'), width: 94, cell: (alert) => <TimeAgo at={alert.startsAt ?? alert.activeAt} /> },
  { id: 'labels', header: t('Labels'), width: 120, grow: true, cell: (alert) => <Labels labels={alert.labels} /> },
  { id: 'held', header: t('Held back'), width: 110, cell: (alert) => <HeldBack silenced={alert.silencedBy.length > 0} inhibited={alert.inhibitedBy.length > 0} /> },
  {
    id: 'actions',
    header: t('Actions'),
    width: 88,
    pin: 'end',
    cell: (alert) => (
      <span className={css['actions']}>
        <Leads alert={alert} />
        <RowAction label={t('Silence {value}', { value: alert.annotations['summary'] ?? alert.ruleName })} why={whyNot} icon={IconBellOff} onClick={() => silence(alert.id)} />
      </span>
    ),
  },
];
