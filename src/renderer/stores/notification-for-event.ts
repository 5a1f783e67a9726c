import type { StreamEvent } from '../../contract/stream.ts';
import { t, tn } from '../../lib/language.ts';
import { translatedAlert } from '../api/alert-labels.ts';
import type { NewNotification } from './notifications.ts';

/** What of a live change is worth telling; null: nothing. `actor` is who is signed in: what one publishes oneself is no news. */
export function notificationForEvent(event: StreamEvent, actor: string | null): NewNotification | null {
  if (event.event === 'alert') {
    if (event.data.kind !== 'instance') return null;
    const { id, state, ruleName, annotations, startsAt, severity } = translatedAlert(event.data);
    if (state !== 'Alerting') return null;
    return {
      id: `alert:${id}:${startsAt}`,
      kind: 'alert',
      tone: severity === 'info' || severity === 'warning' ? 'warn' : 'fail',
      title: t('Alert: {rule}', { rule: ruleName }),
      message: annotations['summary'] ?? annotations['description'] ?? '',
      path: '/alerts',
    };
  }
  if (event.event === 'operation') {
    const { operationId, kind, status, done, failed, total } = event.data;
    if (status === 'RUNNING') return null;
    const title =
      kind === 'kill'
        ? tn('{count} job: kill finished', '{count} jobs: kill finished', total)
        : tn('{count} job: retry finished', '{count} jobs: retry finished', total);
    return {
      id: `operation:${operationId}:${status}`,
      kind: 'operation',
      tone: failed > 0 ? 'warn' : 'done',
      title,
      message: t('{done} succeeded, {failed} skipped', { done, failed }),
      path: `/operations?operation=${operationId}`,
    };
  }
  if (event.event === 'approval') {
    const { id, status, kind, requestedBy, publish, bulk } = event.data;
    if (status !== 'open' || requestedBy === actor) return null;
    return {
      id: `approval:${id}`,
      kind: kind === 'publish' ? 'publication' : 'operation',
      tone: 'warn',
      title: t('Approval needed'),
      message: [t('by {actor}', { actor: requestedBy }), publish?.workflowId, publish?.environment, bulk?.action]
        .filter(Boolean)
        .join(' · '),
      path: `/approvals?approval=${id}`,
    };
  }
  if (event.event === 'publication') {
    const { id, workflowId, environment, hash, publishedBy, description } = event.data;
    if (publishedBy === actor) return null;
    const title =
      hash === null
        ? t('{workflow} was unpublished from {environment}', { workflow: workflowId, environment })
        : t('{workflow} was published to {environment}', { workflow: workflowId, environment });
    return {
      id: `publication:${id}`,
      kind: 'publication',
      tone: 'run',
      title,
      message: [t('by {actor}', { actor: publishedBy }), hash?.slice(0, 10), description].filter(Boolean).join(' · '),
      path: `/workflows/${workflowId}?tab=publish`,
    };
  }
  if (event.event === 'worker') {
    const { id, url, state, lastHeartbeatAt, ended } = event.data;
    if (state !== 'Down' || ended?.reason === 'stopped') return null;
    return {
      id: `worker:${id}:${lastHeartbeatAt ?? ''}`,
      kind: 'worker',
      tone: 'fail',
      title: t('Worker lost'),
      message: url || id,
      path: `/workers?worker=${id}`,
    };
  }
  return null;
}
