import { Code, Group, Stack, Text } from '@mantine/core';
import { IconRepeat, IconWebhook } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { WEBHOOK_PREFIX, type Webhook, type WebhookDelivery } from '../../../../contract/webhooks.ts';
import { t } from '../../../../lib/language.ts';
import { deliveriesQuery, deliveryQuery, replayDelivery, webhookKeys } from '../../../api/webhooks.ts';
import { useWhy, useWorkflowPlace } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { toastError, toastSuccess } from '../../../ui/toasts.tsx';
import { VERDICT_TONES, verdictLabels } from './webhook-words.ts';

/** The latest deliveries of a webhook, and the one that is chosen with its headers and body. */
export function Deliveries({ webhook }: { webhook: Webhook }): ReactNode {
  const query = useQuery(deliveriesQuery(webhook.id));
  const [chosen, setChosen] = useState<string | null>(null);
  const open = query.data?.items.find(({ id }) => id === chosen) ?? query.data?.items[0];
  return (
    <Stack gap="sm">
      <Text size="sm" className="mono" truncate title={webhook.url}>
        {webhook.url}
      </Text>
      <DataTable
        label={t('Deliveries')}
        columns={COLUMNS}
        rows={query.data?.items}
        rowId={(delivery) => delivery.id}
        query={query}
        what={t('Could not load deliveries')}
        current={open?.id}
        onOpen={(delivery: WebhookDelivery) => setChosen(delivery.id)}
        storageKey="webhook-deliveries"
        maxHeight={280}
        empty={
          <EmptyState icon={IconWebhook} title={t('No deliveries yet')}>
            {t('Send one: it appears here with its result, headers and body.')}
          </EmptyState>
        }
      />
      {open && <DeliveryDetail key={open.id} webhook={webhook} delivery={open.id} onReplayed={setChosen} />}
    </Stack>
  );
}

const COLUMNS: readonly DataColumn<WebhookDelivery>[] = [
  { id: 'receivedAt', header: t('Received'), width: 110, cell: ({ receivedAt }) => <TimeAgo at={receivedAt} /> },
  {
    id: 'verdict',
    header: t('Result'),
    width: 130,
    fits: true,
    cell: ({ verdict }) => <ToneBadge tone={VERDICT_TONES[verdict]}>{verdictLabels()[verdict]}</ToneBadge>,
  },
  { id: 'status', header: t('HTTP status'), width: 90, cell: ({ status }) => status },
  {
    id: 'reason',
    header: t('Reason'),
    width: 230,
    grow: true,
    cell: ({ reason }) => (
      <span className="clip" title={reason ?? undefined}>
        {reason ?? ''}
      </span>
    ),
  },
  { id: 'deliveryId', header: t('Delivery ID'), width: 120, cell: ({ deliveryId }) => deliveryId ?? '' },
];

function DeliveryDetail({
  webhook,
  delivery: id,
  onReplayed,
}: {
  webhook: Webhook;
  delivery: string;
  /** With the delivery that came of it. */
  onReplayed: (delivery: string) => void;
}): ReactNode {
  const client = useQueryClient();
  const query = useQuery(deliveryQuery(webhook.id, id));
  const place = useWorkflowPlace(webhook.workflowId, webhook.environment);
  const why = useWhy('jobs.operate', place);
  const [isSending, setSending] = useState(false);
  const delivery = query.data;
  if (!delivery) return <Loading query={query} what={t('Could not load the delivery')} />;

  const replay = async () => {
    setSending(true);
    try {
      const { jobId, deliveryId } = await replayDelivery(webhook.id, id);
      toastSuccess(jobId === null ? t('The filter dropped the delivery') : t('Job {jobId} started', { jobId }));
      await client.invalidateQueries({ queryKey: webhookKeys.all });
      onReplayed(deliveryId);
    } catch (error) {
      toastError(t('Could not replay the delivery'), error);
    } finally {
      setSending(false);
    }
  };
  return (
    <Stack gap="xs" component="section" aria-label={t('Delivery')}>
      <Group justify="space-between" align="flex-start">
        <Group gap="xs">
          <ToneBadge tone={VERDICT_TONES[delivery.verdict]}>{verdictLabels()[delivery.verdict]}</ToneBadge>
          {delivery.replayOf !== null && <ToneBadge tone="empty">{t('Replayed by hand')}</ToneBadge>}
        </Group>
        <ReasonButton
          size="compact-sm"
          leftSection={<IconRepeat size={14} aria-hidden="true" />}
          reason={why ?? (delivery.replayable ? null : t('The body of this delivery was not kept.'))}
          loading={isSending}
          onClick={() => void replay()}
        >
          {t('Replay')}
        </ReasonButton>
      </Group>
      {delivery.reason !== null && <Text size="sm">{delivery.reason}</Text>}
      <Facts
        items={[
          {
            label: t('Job'),
            value:
              delivery.jobId === null ? (
                '–'
              ) : (
                <Link to="/jobs/$jobId" params={{ jobId: delivery.jobId }}>
                  {delivery.jobId}
                </Link>
              ),
          },
          { label: t('Delivery ID'), value: delivery.deliveryId ?? '–' },
          { label: t('From'), value: delivery.address ?? '–' },
          { label: t('Request'), value: `${delivery.method} ${WEBHOOK_PREFIX}${webhook.path}${delivery.query}` },
        ]}
      />
      <Text size="sm" fw={600}>
        {t('Headers')}
      </Text>
      <Code block tabIndex={0} aria-label={t('Headers')} mah={180} style={{ overflow: 'auto' }}>
        {Object.entries(delivery.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      </Code>
      <Text size="sm" fw={600}>
        {t('Body')}
      </Text>
      <Code block tabIndex={0} aria-label={t('Body')} mah={320} style={{ overflow: 'auto' }}>
        {delivery.body === null ? t('{size} bytes, not kept', { size: delivery.size }) : readable(delivery.body)}
      </Code>
    </Stack>
  );
}

/** JSON with line breaks; anything else as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
