import { Button } from '@mantine/core';
import { IconBellOff, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { Silence } from '../../../../contract/alerts.ts';
import { t } from '../../../../lib/language.ts';
import { alertKeys, expireSilence, silencesQuery } from '../../../api/alerts.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useWhy } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { ListTab } from '../../../ui/ListTab.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';
import { SilenceDialog } from './SilenceDialog.tsx';
import { matcherText } from '../shared/labels.ts';

const route = getRouteApi('/alerts');
const silenceId = (silence: Silence) => silence.id;
const silenceTone = (silence: Silence) => (silence.state === 'expired' ? ('muted' as const) : undefined);
const TONES = { active: 'partial', pending: 'sched', expired: 'empty' } as const;
const STATE_WORDS = { active: t('Active'), pending: t('Upcoming'), expired: t('Expired') };

export function SilencesTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 50 } = search;
  const query = useQuery(silencesQuery({ page, size }));
  const client = useQueryClient();
  const whyOperate = useWhy('alerts.operate');
  const canOperate = whyOperate === undefined;
  const [asking, setAsking] = useState(false);
  const end = (silence: Silence) =>
    void expireSilence(silence.id).then(
      () => {
        toastSuccess(t('Silence ended'), t('Alerts that are still firing are sent now.'));
        return client.invalidateQueries({ queryKey: alertKeys.all });
      },
      toastFailure(t('Could not end the silence')),
    );
  const columns = useMemo(() => columnsFor(canOperate, end), [canOperate]);
  const add = { label: t('New silence'), why: whyOperate, run: () => setAsking(true) };
  useCommands(add.why === undefined ? [add] : []);
  return (
    <>
      <ListTab
        intro={t(
          'Silences mute notifications, for example during planned maintenance. Alerts stay visible in the console.',
        )}
        add={add}
        label={t('Silences')}
        what={t('Could not load silences')}
        storageKey="silences"
        columns={columns}
        rowId={silenceId}
        rowTone={silenceTone}
        query={query}
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        empty={{
          icon: IconBellOff,
          title: t('No silences'),
          text: t(
            'A silence mutes notifications for matching alerts until it expires. Use the bell next to a firing alert to create one.',
          ),
        }}
      />
      {asking && <SilenceDialog alert={null} onClose={() => setAsking(false)} />}
    </>
  );
}

const columnsFor = (canOperate: boolean, end: (silence: Silence) => void): readonly DataColumn<Silence>[] => [
  {
    id: 'state',
    header: t('State'),
    width: 96,
    cell: (silence) => <ToneBadge tone={TONES[silence.state]}>{STATE_WORDS[silence.state]}</ToneBadge>,
  },
  {
    id: 'matchers',
    header: t('Matchers'),
    width: 260,
    grow: true,
    pin: 'start',
    cell: (silence) => (
      <span className="mono clip" title={silence.matchers.map(matcherText).join('\n')}>
        {silence.matchers.map(matcherText).join(', ')}
      </span>
    ),
  },
  { id: 'comment', header: t('Reason'), width: 200, grow: true, cell: (silence) => silence.comment },
  { id: 'alerts', header: t('Silencing'), width: 96, align: 'right', cell: (silence) => formatCount(silence.alerts) },
  { id: 'ends', header: t('Ends'), width: 104, cell: (silence) => <TimeAgo at={silence.endsAt} /> },
  { id: 'by', header: t('Created by'), width: 120, cell: (silence) => silence.createdBy },
  {
    id: 'actions',
    header: t('Actions'),
    width: 136,
    pin: 'end',
    cell: (silence) =>
      silence.state !== 'expired' && (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconX size={13} aria-hidden />}
          disabled={!canOperate}
          onClick={() => end(silence)}
          aria-label={t('End silence now: {comment}', { comment: silence.comment })}
        >
          {t('End now')}
        </Button>
      ),
  },
];
