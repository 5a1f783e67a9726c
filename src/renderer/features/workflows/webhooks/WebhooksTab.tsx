import { Group, Stack, Text } from '@mantine/core';
import {
  IconList,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconRefresh,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { WEBHOOK_PREFIX, type Webhook, type WebhookCreated } from '../../../../contract/webhooks.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { changeWebhook, deleteWebhook, rotateWebhook, webhookKeys, webhooksQuery } from '../../../api/webhooks.ts';
import { useWhy } from '../../../stores/role.ts';
import { EnvironmentBadges, ToneBadge } from '../../../ui/Badges.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastError, toastSuccess } from '../../../ui/toasts.tsx';
import { Deliveries } from './Deliveries.tsx';
import { senderLabels, senderOf, VERDICT_TONES, verdictLabels } from './webhook-words.ts';
import { WebhookForm } from './WebhookForm.tsx';
import { WebhookShown } from './WebhookShown.tsx';

type Doing =
  | { readonly what: 'form'; readonly webhook: Webhook | null }
  | { readonly what: 'shown'; readonly webhook: WebhookCreated }
  | { readonly what: 'deliveries'; readonly webhook: Webhook };

/** So many are listed; a workflow has few. */
const READ = 500;
/** While the sender is changed over. */
const OVERLAP_SECONDS = 86_400;

/** The webhooks that start jobs of this workflow. */
export function WebhooksTab({ workflow }: { workflow: Workflow }): ReactNode {
  const client = useQueryClient();
  const query = useQuery(webhooksQuery({ workflowId: workflow.id, page: 0, size: READ }));
  const why = useWhy('workflows.publish', 'anywhere');
  const [doing, setDoing] = useState<Doing | null>(null);
  useRestoreFocus(doing !== null);
  const { ask, dialog } = useConfirm();
  const changed = () => client.invalidateQueries({ queryKey: webhookKeys.all });
  const close = () => setDoing(null);

  const columns = useMemo((): readonly DataColumn<Webhook>[] => {
    const toggle = async ({ id, enabled }: Webhook) => {
      try {
        await changeWebhook(id, { enabled: !enabled });
        toastSuccess(enabled ? t('Webhook disabled') : t('Webhook enabled'));
      } catch (error) {
        toastError(t('Could not change the webhook'), error);
      }
      await changed();
    };
    const rotate = ({ id, path }: Webhook) =>
      ask({
        title: t('Replace the secret of {path}?', { path }),
        confirmLabel: t('Replace secret'),
        text: t('A new secret is made and shown once. The old one stays valid for a day.'),
        async run() {
          const made = await rotateWebhook(id, OVERLAP_SECONDS);
          await changed();
          setDoing({ what: 'shown', webhook: made });
        },
      });
    const remove = ({ id, path }: Webhook) =>
      ask({
        danger: true,
        title: t('Delete webhook {path}?', { path }),
        confirmLabel: t('Delete 1 webhook'),
        text: t('Deliveries to its URL are refused from now on, and those that were kept are deleted.'),
        async run() {
          await deleteWebhook(id);
          toastSuccess(t('Webhook deleted'));
          await changed();
        },
      });
    return [
      {
        id: 'url',
        header: t('URL'),
        width: 260,
        grow: true,
        cell: (webhook) => (
          <Group gap={4} wrap="nowrap">
            <Text size="sm" className="mono" truncate title={webhook.url}>
              {`${WEBHOOK_PREFIX}${webhook.path}`}
            </Text>
            <CopyButton value={webhook.url} label={t('Copy URL')} size="xs" />
          </Group>
        ),
      },
      {
        id: 'environment',
        header: t('Environment'),
        width: 104,
        cell: ({ environment }) => <EnvironmentBadges of={[environment]} />,
      },
      {
        id: 'sender',
        header: t('Sender'),
        width: 160,
        grow: true,
        cell: (webhook) => senderLabels()[senderOf(webhook)],
      },
      {
        id: 'state',
        header: t('State'),
        width: 116,
        fits: true,
        cell: ({ enabled, readable }) =>
          !readable ? (
            <ToneBadge tone="fail">{t('Secret unreadable')}</ToneBadge>
          ) : enabled ? (
            <ToneBadge tone="done">{t('Active')}</ToneBadge>
          ) : (
            <ToneBadge tone="empty">{t('Disabled')}</ToneBadge>
          ),
      },
      {
        id: 'last',
        header: t('Last delivery'),
        width: 220,
        cell: ({ lastDelivery }) =>
          lastDelivery === null ? (
            t('None yet')
          ) : (
            <Group gap={6} wrap="nowrap">
              <TimeAgo at={lastDelivery.receivedAt} />
              <ToneBadge tone={VERDICT_TONES[lastDelivery.verdict]}>{verdictLabels()[lastDelivery.verdict]}</ToneBadge>
            </Group>
          ),
      },
      actionsColumn<Webhook>(180, undefined, (webhook) => [
        {
          label: t('Deliveries of {path}', { path: webhook.path }),
          icon: IconList,
          run: () => setDoing({ what: 'deliveries', webhook }),
        },
        {
          label: t('Edit {name}', { name: webhook.path }),
          icon: IconPencil,
          why,
          run: () => setDoing({ what: 'form', webhook }),
        },
        {
          label: webhook.enabled
            ? t('Disable {path}', { path: webhook.path })
            : t('Enable {path}', { path: webhook.path }),
          icon: webhook.enabled ? IconPlayerPause : IconPlayerPlay,
          why,
          run: () => void toggle(webhook),
        },
        webhook.verify.type !== 'none' && {
          label: t('Replace secret of {path}', { path: webhook.path }),
          icon: IconRefresh,
          why,
          run: () => rotate(webhook),
        },
        {
          label: t('Delete {name}', { name: webhook.path }),
          icon: IconTrash,
          danger: true,
          why,
          run: () => remove(webhook),
        },
      ]),
    ];
  }, [why]);

  const create = (
    <ReasonButton
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      reason={why ?? null}
      onClick={() => setDoing({ what: 'form', webhook: null })}
    >
      {t('New webhook')}
    </ReasonButton>
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('Other services start jobs at a public path. Each delivery is verified and starts one job.')}
        </Text>
        {create}
      </Group>
      <DataTable
        label={t('Webhooks of {id}', { id: workflow.id })}
        columns={columns}
        rows={query.data?.items}
        rowId={(webhook) => webhook.id}
        query={query}
        what={t('Could not load webhooks')}
        onOpen={(webhook: Webhook) => setDoing({ what: 'deliveries', webhook })}
        rowTone={({ enabled }) => (enabled ? undefined : 'muted')}
        storageKey="workflow-webhooks"
        maxHeight={560}
        empty={
          <EmptyState icon={IconWebhook} title={t('No webhooks yet')} action={create}>
            {t('Create one to let GitHub, Stripe, Slack or your own service start jobs.')}
          </EmptyState>
        }
      />
      {doing?.what === 'form' && (
        <WebhookForm
          workflowId={workflow.id}
          webhook={doing.webhook}
          onClose={close}
          onDone={(webhook) => {
            void changed();
            if (doing.webhook === null || webhook.secret !== undefined) setDoing({ what: 'shown', webhook });
            else {
              toastSuccess(t('Webhook saved'));
              close();
            }
          }}
        />
      )}
      {doing?.what === 'shown' && <WebhookShown webhook={doing.webhook} onClose={close} />}
      <SidePanel what={t('Deliveries')} id={doing?.what === 'deliveries' ? doing.webhook.id : null} onClose={close}>
        {() => doing?.what === 'deliveries' && <Deliveries webhook={doing.webhook} />}
      </SidePanel>
      {dialog}
    </Stack>
  );
}
