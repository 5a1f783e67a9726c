import { Code, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { Webhook, WebhookPreviewDraft } from '../../../../contract/webhooks.ts';
import { t } from '../../../../lib/language.ts';
import { deliveriesQuery, deliveryQuery } from '../../../api/webhooks.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { useUiSettings } from '../../../ui/settings.tsx';
import { formatInstant } from '../../../ui/time-text.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';
import { sampleBody, sampleOf } from './samples.ts';
import type { PreviewState } from './use-webhook-preview.ts';
import { type Sender, verdictLabels } from './webhook-words.ts';

const SAMPLE = 'sample';

/** The delivery that is tried: a kept one of the webhook, or a sample that can be written. */
export function useTriedDelivery(webhook: Webhook | null, sender: Sender) {
  const kept = useQuery({ ...deliveriesQuery(webhook?.id ?? ''), enabled: webhook !== null, retry: false });
  const choices = (kept.data?.items ?? []).filter(({ replayable }) => replayable).slice(0, 20);
  const [picked, setPicked] = useState<string | null>(null);
  // The latest delivery tells more than any sample.
  const chosen = picked ?? choices[0]?.id ?? SAMPLE;
  const delivery = useQuery({ ...deliveryQuery(webhook?.id ?? '', chosen), enabled: chosen !== SAMPLE, retry: false });
  const [written, setWritten] = useState<string | null>(null);
  const body = written ?? sampleBody(sender);
  const fault = chosen === SAMPLE && scanJson(body).errors.length > 0 ? t('Expected JSON.') : null;
  const { data } = delivery;
  const sample: WebhookPreviewDraft['sample'] | null =
    chosen === SAMPLE
      ? fault === null
        ? sampleOf(sender, body)
        : null
      : data
        ? {
            method: data.method,
            query: data.query,
            headers: data.headers,
            body: data.body ?? '',
            ...(data.bodyEncoding === null ? {} : { bodyEncoding: data.bodyEncoding }),
            deliveryId: data.deliveryId,
          }
        : null;
  return { choices, chosen, setPicked, body, setWritten, fault, sample, error: delivery.error };
}

/** What filter and mapping make of a delivery, before they are saved. */
export function PreviewPanel({
  tried: { choices, chosen, setPicked, body, setWritten, fault, error: unread },
  state: { preview, error, asking },
}: {
  tried: ReturnType<typeof useTriedDelivery>;
  state: PreviewState;
}): ReactNode {
  const title = useId();
  const { zone } = useUiSettings();
  return (
    <Stack gap="xs" component="section" aria-labelledby={title}>
      <Text size="sm" fw={600} id={title}>
        {t('Preview')}
      </Text>
      <Select
        label={t('Try it with')}
        data={[
          ...choices.map(({ id, receivedAt, verdict }) => ({
            value: id,
            label: `${formatInstant(receivedAt, zone, false)} · ${verdictLabels()[verdict]}`,
          })),
          { value: SAMPLE, label: t('An example') },
        ]}
        {...bindChoice(chosen, setPicked)}
      />
      {chosen === SAMPLE && (
        <Textarea
          label={t('Example body')}
          {...bindText(body, setWritten)}
          error={fault}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      )}
      <ErrorLine error={unread ?? error} />
      {preview && (
        <Stack gap="xs" aria-live="polite" opacity={asking ? 0.6 : 1}>
          {preview.filter.passes !== null && (
            <Group>
              <ToneBadge tone={preview.filter.passes ? 'done' : 'empty'}>
                {preview.filter.passes ? t('A job starts') : t('The filter drops it: no job starts')}
              </ToneBadge>
            </Group>
          )}
          {preview.mapping.error === null && preview.filter.passes !== false && (
            <Json label={t('Inputs of the job')} value={preview.mapping.inputs} />
          )}
          {preview.refused !== null && (
            <Callout tone="warn" title={t('The workflow would refuse these inputs')}>
              {preview.refused}
            </Callout>
          )}
          <details>
            <summary>{t('What the expressions are given')}</summary>
            <Code
              block
              tabIndex={0}
              role="region"
              aria-label={t('What the expressions are given')}
              mah={200}
              style={{ overflow: 'auto' }}
            >
              {JSON.stringify(preview.document, null, 2)}
            </Code>
          </details>
        </Stack>
      )}
    </Stack>
  );
}

const Json = ({ label, value }: { label: string; value: unknown }): ReactNode => (
  <div>
    <Text size="xs" c="dimmed" mb={4} aria-hidden>
      {label}
    </Text>
    <Code block tabIndex={0} role="region" aria-label={label} mah={200} style={{ overflow: 'auto' }}>
      {JSON.stringify(value, null, 2)}
    </Code>
  </div>
);
