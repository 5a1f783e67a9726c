import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowUpRight, IconBellOff, IconCircleCheck, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { Alert } from '../../../../contract/alerts.ts';
import { isHeldBack, OPEN_STATES, type PanelUnit } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { alertKeys, alertsQuery, withdrawAcknowledgement } from '../../../api/alerts.ts';
import { firstAlertLink, alertLinks } from '../links.ts';
import { useWhy } from '../../../stores/role.ts';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Finder } from '../../../ui/Finder.tsx';
import { RowLink } from '../../../ui/RowLink.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';
import { AcknowledgeDialog } from './AcknowledgeDialog.tsx';
import css from '../shared/Alerts.module.css';
import { rich } from '../../../ui/rich.tsx';
import { paged } from '../../../ui/table/pages.ts';
import { SilenceDialog } from '../silences/SilenceDialog.tsx';
import { AcknowledgedBy } from '../AcknowledgedBy.tsx';
import { Acknowledged, AlertBadge, HeldBack, SeverityBadge } from '../shared/tones.tsx';
import { distinctiveLabels } from '../shared/labels.ts';
import { useUnits } from '../shared/use-units.ts';
import { valueText } from '../shared/value-text.ts';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';

const route = getRouteApi('/alerts');
const alertId = (alert: Alert) => alert.id;
const alertName = (alert: Alert): string => alert.annotations['summary'] ?? alert.ruleName;
const alertTone = (alert: Alert) => (isHeldBack(alert) || alert.state === 'Pending' ? ('muted' as const) : undefined);

/** What is wrong now, the worst first. */
export function FiringTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 50, q } = search;
  const query = useQuery(alertsQuery({ page, size, q }));
  const whyOperate = useWhy('alerts.operate', 'anywhere');
  const units = useUnits();
  const client = useQueryClient();
  const choose = (what: 'silence' | 'acknowledge', id: string | undefined) =>
    void navigate({
      search: ({ silence: _silence, acknowledge: _acknowledge, ...rest }) =>
        id === undefined ? rest : { ...rest, [what]: id },
      replace: true,
    });
  const withdraw = (id: string) =>
    void withdrawAcknowledgement(id).then(
      async () => {
        await client.invalidateQueries({ queryKey: alertKeys.all });
        toastSuccess(t('Acknowledgement removed'), t('Its messages are repeated again.'));
      },
      toastFailure(t('Could not remove the acknowledgement')),
    );
  const columns = useMemo(() => columnsFor(whyOperate, units, choose, withdraw), [whyOperate, units]);
  const chosen = (id: string | undefined) => query.data?.items.find((alert) => alert.id === id);
  const [toSilence, toAcknowledge] = [chosen(search.silence), chosen(search.acknowledge)];
  return (
    <>
      <div className={css['bar']}>
        <Finder
          value={q ?? ''}
          label={t('Search labels')}
          placeholder={t('Workflow, worker, label…')}
          onChange={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
        />
      </div>
      <DataTable
        fill
        label={t('Alerts')}
        what={t('Could not load alerts')}
        storageKey="alerts"
        columns={columns}
        lines={2}
        rowId={alertId}
        rowTone={alertTone}
        {...paged(query, { page, size }, (change) => void navigate({ search: { ...search, ...change } }))}
        empty={
          <EmptyState icon={IconCircleCheck} title={q === undefined ? t('No alerts firing') : t('No matching alerts')}>
            {q === undefined
              ? rich('Built-in rules already watch workers, failures, the queue and the disk. {link} or {link2}.', {
                  link: (
                    <Link to="/alerts" search={{ tab: 'rules' }} className={css['link'] ?? ''}>
                      {t('View the rules')}
                    </Link>
                  ),
                  link2: (
                    <Link to="/alerts" search={{ tab: 'channels' }} className={css['link'] ?? ''}>
                      {t('set up notifications')}
                    </Link>
                  ),
                })
              : t('No alert has this text in its labels.')}
          </EmptyState>
        }
      />
      {toSilence && <SilenceDialog key={toSilence.id} alert={toSilence} onClose={() => choose('silence', undefined)} />}
      {toAcknowledge && <AcknowledgeDialog alert={toAcknowledge} onClose={() => choose('acknowledge', undefined)} />}
    </>
  );
}

/** From the alert to what its labels name. */
function AlertLinks({ alert }: { alert: Alert }): ReactNode {
  const navigate = useNavigate();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          size="sm"
          aria-label={t('Links for {value}', { value: alert.annotations['summary'] ?? alert.ruleName })}
          title={t('Open related page')}
        >
          <IconArrowUpRight size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {alertLinks(alert).map(({ name, href }) => (
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
        <Menu.Item onClick={() => void navigate({ to: '/alerts', search: { tab: 'rules', rule: alert.ruleId } })}>
          {t('Alert rule')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function Labels({
  labels,
  wrapped = false,
}: {
  labels: Readonly<Record<string, string>>;
  wrapped?: boolean;
}): ReactNode {
  const telling = distinctiveLabels(labels);
  return (
    <span
      className={`${css['labels']} ${wrapped ? css['wrapped'] : ''}`}
      title={telling.map(([name, value]) => `${name}=${value}`).join('\n')}
    >
      {telling.map(([name, value]) => (
        <span key={name} className={`clip ${css['label']}`}>
          <span className="dim">{name}=</span>
          {value}
        </span>
      ))}
    </span>
  );
}

const columnsFor = (
  whyNot: string | undefined,
  units: ReadonlyMap<string, PanelUnit>,
  choose: (what: 'silence' | 'acknowledge', id: string) => void,
  withdraw: (id: string) => void,
): readonly DataColumn<Alert>[] => [
  { id: 'state', header: t('State'), width: 132, cell: (alert) => <AlertBadge state={alert.state} /> },
  {
    id: 'alert',
    header: t('Alert'),
    width: 204,
    grow: true,
    pin: 'start',
    cell: (alert) => (
      <span
        className="two-lines"
        title={[
          alert.annotations['summary'],
          alert.annotations['description'],
          alert.acknowledged?.note,
          t('Rule: {ruleName}', { ruleName: alert.ruleName }),
        ]
          .filter(Boolean)
          .join('\n')}
      >
        <RowLink className={css['link'] ?? ''} href={firstAlertLink(alert)}>
          {alert.annotations['summary'] ?? alert.ruleName}
        </RowLink>
        <AcknowledgedBy alert={alert} />
      </span>
    ),
  },
  { id: 'severity', header: t('Severity'), width: 120, cell: (alert) => <SeverityBadge severity={alert.severity} /> },
  {
    id: 'value',
    header: t('Value'),
    width: 98,
    align: 'right',
    cell: (alert) => valueText(alert.value, units.get(alert.ruleId)),
  },
  { id: 'since', header: t('Since'), width: 94, cell: (alert) => <TimeAgo at={alert.startsAt ?? alert.activeAt} /> },
  {
    id: 'labels',
    header: t('Labels'),
    width: 162,
    grow: true,
    cell: (alert) => <Labels labels={alert.labels} wrapped />,
  },
  {
    id: 'held',
    header: t('Suppressed'),
    width: 136,
    blank: (alert) => !isHeldBack(alert) && !alert.acknowledged,
    cell: (alert) =>
      isHeldBack(alert) ? (
        <HeldBack silenced={alert.silencedBy.length > 0} inhibited={alert.inhibitedBy.length > 0} />
      ) : (
        alert.acknowledged && <Acknowledged by={alert.acknowledged.by} />
      ),
  },
  actionsColumn(
    118,
    whyNot,
    (alert) => [
      alert.acknowledged
        ? {
            label: t('Remove acknowledgement of {value}', { value: alertName(alert) }),
            icon: IconUserOff,
            run: () => withdraw(alert.id),
          }
        : {
            label: t('Acknowledge {value}', { value: alertName(alert) }),
            why: OPEN_STATES.includes(alert.state) ? whyNot : t('not firing yet'),
            icon: IconUserCheck,
            run: () => choose('acknowledge', alert.id),
          },
      {
        label: t('Silence {value}', { value: alertName(alert) }),
        icon: IconBellOff,
        run: () => choose('silence', alert.id),
      },
    ],
    (alert) => <AlertLinks alert={alert} />,
  ),
];
