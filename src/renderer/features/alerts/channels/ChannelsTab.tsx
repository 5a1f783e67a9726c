import { Button, Switch } from '@mantine/core';
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { Channel } from '../../../../contract/alert-channels.ts';
import { t } from '../../../../lib/language.ts';
import {
  alertKeys,
  channelsQuery,
  deleteChannel,
  policyQuery,
  testChannel,
  updateChannel,
} from '../../../api/alerts.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useWhy } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { ListTab } from '../../../ui/ListTab.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastSuccess, toastError, toastFailure } from '../../../ui/toasts.tsx';
import css from '../shared/Alerts.module.css';
import { ChannelForm } from './ChannelForm.tsx';
import { channelsIn, KIND_WORDS } from './channel-draft.ts';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';

const route = getRouteApi('/alerts');
const channelId = (channel: Channel) => channel.id;
const channelTone = (channel: Channel) => (channel.enabled ? undefined : ('muted' as const));

/** Where messages go: mail, chat, paging, hooks, this desktop. */
export function ChannelsTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 50 } = search;
  const query = useQuery(channelsQuery({ page, size }));
  const { data: policy } = useQuery(policyQuery());
  const used = useMemo(() => policy && channelsIn(policy), [policy]);
  const client = useQueryClient();
  const whyAdmin = useWhy('alerts.manage');
  // Null: a new one.
  const [form, setForm] = useState<Channel | null | undefined>();
  const { ask, dialog } = useConfirm();
  const [testing, setTesting] = useState<string | null>(null);
  const changed = () => client.invalidateQueries({ queryKey: alertKeys.all });
  const test = async (channel: Channel) => {
    setTesting(channel.id);
    try {
      const { ok, status, answer, durationMs } = await testChannel(channel.id);
      const words = `${status === null ? '' : `${status} `}${answer}`.slice(0, 300);
      if (ok)
        toastSuccess(
          t('{name} accepted the test message in {durationMs} ms', { name: channel.name, durationMs }),
          words,
        );
      else
        toastError(
          status === null
            ? t('The test message did not reach {name}', { name: channel.name })
            : t('{name} rejected the test message', { name: channel.name }),
          new Error(words),
        );
      await changed();
    } catch (error) {
      toastError(t('Could not test {name}', { name: channel.name }), error);
    }
    setTesting(null);
  };
  const toggle = (channel: Channel) =>
    void updateChannel(channel.id, { enabled: !channel.enabled }).then(
      changed,
      toastFailure(t('Could not update the channel')),
    );
  const remove = (channel: Channel) =>
    ask({
      danger: true,
      title: t('Delete channel {name}?', { name: channel.name }),
      confirmLabel: t('Delete 1 channel'),
      text: t('Pending messages for this channel are not sent. This cannot be undone.'),
      async run() {
        await deleteChannel(channel.id);
        toastSuccess(t('Deleted {name}', { name: channel.name }));
        await changed();
      },
    });
  const columns = useMemo(
    () => columnsFor(whyAdmin, testing, used, { test, toggle, edit: setForm, remove }),
    [whyAdmin, testing, used],
  );
  const add = { label: t('New channel'), why: whyAdmin, run: () => setForm(null) };
  useCommands(add.why === undefined ? [add] : []);
  return (
    <>
      <ListTab
        intro={t(
          'Routing decides which alerts each channel receives. Passwords, keys and webhook URLs are encrypted and never shown again.',
        )}
        add={add}
        label={t('Channels')}
        what={t('Could not load channels')}
        storageKey="channels"
        columns={columns}
        rowId={channelId}
        rowTone={channelTone}
        query={query}
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        empty={{ icon: IconSend, title: t('No channels') }}
      />
      {form !== undefined && <ChannelForm channel={form} onClose={() => setForm(undefined)} />}
      {dialog}
    </>
  );
}

interface Acts {
  test(channel: Channel): Promise<void>;
  toggle(channel: Channel): void;
  edit(channel: Channel): void;
  remove(channel: Channel): void;
}

const columnsFor = (
  whyNot: string | undefined,
  testing: string | null,
  used: ReadonlySet<string> | undefined,
  { test, toggle, edit, remove }: Acts,
): readonly DataColumn<Channel>[] => [
  {
    id: 'on',
    header: t('On'),
    width: 64,
    cell: (channel) => (
      <Switch
        aria-label={t('{name} enabled', { name: channel.name })}
        checked={channel.enabled}
        disabled={whyNot !== undefined}
        onChange={() => toggle(channel)}
      />
    ),
  },
  {
    id: 'name',
    header: t('Channel'),
    width: 180,
    grow: true,
    pin: 'start',
    cell: (channel) => (
      <span className="clip">
        {channel.name} {channel.builtIn && <span className="dim">{t('built-in')}</span>}
      </span>
    ),
  },
  { id: 'kind', header: t('Type'), width: 120, cell: (channel) => KIND_WORDS[channel.kind] },
  {
    id: 'to',
    header: t('To'),
    width: 220,
    grow: true,
    cell: (channel) => (
      <span className="clip mono">
        {channel.settings.to ??
          channel.settings.url ??
          (channel.secretsSet.length > 0 ? '•••' : <span className="dim">–</span>)}
      </span>
    ),
  },
  {
    id: 'sent',
    header: t('Last sent'),
    width: 100,
    cell: (channel) => <TimeAgo at={channel.lastSentAt} absent={t('never')} />,
  },
  {
    id: 'standing',
    header: t('Status'),
    width: 164,
    cell: (channel) =>
      !channel.readable ? (
        <span data-hint={t('The encryption key for its secrets is missing')}>
          <ToneBadge tone="fail">{t('Unreadable')}</ToneBadge>
        </span>
      ) : channel.lastError !== null ? (
        <span data-hint={channel.lastError}>
          <ToneBadge tone="fail">
            {channel.waiting > 0 ? t('{waiting} pending', { waiting: channel.waiting }) : t('Failed')}
          </ToneBadge>
        </span>
      ) : used?.has(channel.id) === false && whyNot === undefined ? (
        <Link
          to="/alerts"
          search={{ tab: 'routing', channel: channel.id }}
          className={css['link'] ?? ''}
          aria-label={t('Send alerts to {name}', { name: channel.name })}
          data-hint={t('Not used in any route yet: it receives no alerts')}
        >
          {t('Send alerts here')}
        </Link>
      ) : (
        <ToneBadge tone={channel.lastSentAt === null ? 'empty' : 'done'}>
          {channel.lastSentAt === null ? t('Unused') : t('OK')}
        </ToneBadge>
      ),
  },
  actionsColumn(
    150,
    whyNot,
    (channel) => [
      { label: t('Edit {name}', { name: channel.name }), icon: IconPencil, run: () => edit(channel) },
      !channel.builtIn && {
        label: t('Delete {name}', { name: channel.name }),
        icon: IconTrash,
        danger: true,
        run: () => remove(channel),
      },
    ],
    (channel) => (
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconSend size={13} aria-hidden />}
        disabled={whyNot !== undefined}
        loading={testing === channel.id}
        onClick={() => void test(channel)}
        aria-label={t('Send a test message to {name}', { name: channel.name })}
      >
        {t('Test')}
      </Button>
    ),
  ),
];
