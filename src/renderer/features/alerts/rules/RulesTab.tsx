import { Switch, Tooltip } from '@mantine/core';
import { IconBellPlus, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { AlertRule } from '../../../../contract/alert-rules.ts';
import { t } from '../../../../lib/language.ts';
import { alertKeys, deleteRule, rulesQuery, updateRule } from '../../../api/alerts.ts';
import { ruleLabel } from '../../../api/alert-labels.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useWhy } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { ListTab } from '../../../ui/ListTab.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { formatRoundDuration } from '../../../ui/Duration.tsx';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';
import { RuleForm } from './RuleForm.tsx';
import { AlertBadge, SeverityBadge } from '../shared/tones.tsx';
import { numberText, queryText, thresholdText } from '../shared/labels.ts';
import { unitForRule, valueText } from '../shared/value-text.ts';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';

const route = getRouteApi('/alerts');
const ruleId = (rule: AlertRule) => rule.id;
const ruleTone = (rule: AlertRule) => (rule.enabled ? undefined : ('muted' as const));
const NEW = 'new';

/** The words of a query name its unit, but for shares, which are said as percentages everywhere else. */
const boundText = (rule: AlertRule) =>
  unitForRule(rule) === 'share' ? (bound: number) => valueText(bound, 'share') : numberText;

/** Conditions that are looked after all the time. */
export function RulesTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 50 } = search;
  const query = useQuery(rulesQuery({ page, size }));
  const client = useQueryClient();
  const whyAdmin = useWhy('alerts.manage', 'anywhere');
  const { ask, dialog } = useConfirm();
  const changed = () => client.invalidateQueries({ queryKey: alertKeys.all });
  const edit = (rule: string | undefined) =>
    void navigate({
      search: ({ rule: _old, ...rest }) => (rule === undefined ? rest : { ...rest, tab: 'rules', rule }),
    });
  const toggle = (rule: AlertRule) =>
    void updateRule(rule.id, { enabled: !rule.enabled }).then(changed, toastFailure(t('Could not update the rule')));
  const remove = (rule: AlertRule) =>
    ask({
      danger: true,
      title: t('Delete rule {name}?', { name: rule.name }),
      confirmLabel: t('Delete 1 rule'),
      text: t('Its firing alerts are resolved and resolved notifications are sent. The history is kept.'),
      async run() {
        await deleteRule(rule.id);
        toastSuccess(t('Deleted {name}', { name: rule.name }));
        await changed();
      },
    });
  const columns = useMemo(() => columnsFor(whyAdmin, toggle, edit, remove), [whyAdmin]);
  const add = { label: t('New rule'), why: whyAdmin, run: () => edit(NEW) };
  useCommands(add.why === undefined ? [add] : []);
  const rule = query.data?.items.find(({ id }) => id === search.rule) ?? null;
  return (
    <>
      <ListTab
        intro={t(
          'A rule runs a metrics or log query at a fixed interval and fires for each series that crosses the threshold.',
        )}
        add={add}
        label={t('Alert rules')}
        what={t('Could not load the rules')}
        storageKey="alert-rules"
        columns={columns}
        lines={2}
        rowId={ruleId}
        rowTone={ruleTone}
        query={query}
        onOpen={(one) => edit(one.id)}
        current={search.rule}
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        empty={{ icon: IconBellPlus, title: t('No rules') }}
      />
      <SidePanel
        what={t('Alert rule')}
        id={search.rule === NEW || rule !== null ? (search.rule ?? null) : null}
        width={860}
        form
        onClose={() => edit(undefined)}
      >
        {(id) => <RuleForm key={id} rule={id === NEW ? null : rule} onClose={() => edit(undefined)} />}
      </SidePanel>
      {dialog}
    </>
  );
}

const columnsFor = (
  whyNot: string | undefined,
  toggle: (rule: AlertRule) => void,
  edit: (id: string) => void,
  remove: (rule: AlertRule) => void,
): readonly DataColumn<AlertRule>[] => [
  {
    id: 'on',
    header: t('On'),
    width: 64,
    cell: (rule) => (
      <Switch
        aria-label={t('{name} enabled', { name: ruleLabel(rule.id, rule.name) })}
        checked={rule.enabled}
        disabled={whyNot !== undefined}
        onChange={() => toggle(rule)}
        onClick={(event) => event.stopPropagation()}
      />
    ),
  },
  {
    id: 'name',
    header: t('Rule'),
    width: 200,
    grow: true,
    pin: 'start',
    cell: (rule) => (
      <span className="two-lines" title={ruleLabel(rule.id, rule.name)}>
        {ruleLabel(rule.id, rule.name)} {rule.builtIn && <span className="dim">{t('built-in')}</span>}
      </span>
    ),
  },
  {
    id: 'state',
    header: t('State'),
    width: 134,
    cell: (rule) => (rule.enabled ? <AlertBadge state={rule.state} /> : <ToneBadge tone="empty">{t('Off')}</ToneBadge>),
  },
  {
    id: 'condition',
    header: t('Fires when'),
    width: 250,
    grow: true,
    cell: (rule) => {
      const parts = { query: queryText(rule.query), threshold: thresholdText(rule.threshold, boundText(rule)) };
      const words =
        rule.forSeconds > 0
          ? t('{query}: {threshold} for {span}', {
              ...parts,
              span: formatRoundDuration(rule.forSeconds * 1000).replaceAll(' ', '\u00a0'),
            })
          : t('{query}: {threshold}', parts);
      return (
        <span className="two-lines" title={words}>
          {words}
        </span>
      );
    },
  },
  { id: 'severity', header: t('Severity'), width: 116, cell: (rule) => <SeverityBadge severity={rule.severity} /> },
  { id: 'firing', header: t('Firing'), width: 72, align: 'right', cell: (rule) => rule.firing },
  {
    id: 'evaluated',
    header: t('Last evaluated'),
    width: 110,
    cell: (rule) =>
      rule.lastError === null ? (
        <TimeAgo at={rule.lastEvaluatedAt} absent={t('never')} />
      ) : (
        <Tooltip label={rule.lastError}>
          <span>
            <ToneBadge tone="fail">{t('query failed')}</ToneBadge>
          </span>
        </Tooltip>
      ),
  },
  actionsColumn(84, undefined, (rule) => [
    { label: t('Edit {name}', { name: ruleLabel(rule.id, rule.name) }), icon: IconPencil, run: () => edit(rule.id) },
    !rule.builtIn && {
      label: t('Delete {name}', { name: rule.name }),
      why: whyNot,
      icon: IconTrash,
      danger: true,
      run: () => remove(rule),
    },
  ]),
];
