import { WEBHOOK_PREFIX, type WebhookCreated } from '../../../contract/webhooks.ts';
import type { FastifyRequest } from 'fastify';
import type { Identity } from '../../access/port.ts';
import type { WebhookView } from '../../webhooks/port.ts';
import { publicOriginOf } from '../core/origin.ts';
import { route, type App } from '../core/route.ts';
import type { EventLimits } from '../events/event-limits.ts';
import { deliver, DeliveryError } from '../hooks/deliver.ts';
import { previewDelivery } from '../hooks/preview-delivery.ts';
import { mayPublish } from './workflows.ts';

/** Webhooks: public paths that start jobs. Whoever may publish to an environment may open one there (docs/webhooks.md). */
export function webhookRoutes(app: App, load: Pick<EventLimits, 'checkWithoutKey'>): void {
  const { services, scope } = app;
  const { webhooks, workflows, access } = services;

  const shown = <T extends WebhookView>(webhook: T, request: FastifyRequest) => ({
    ...webhook,
    url: `${publicOriginOf(request.raw, services)}${WEBHOOK_PREFIX}${webhook.path}`,
  });
  const created = (
    { webhook, secret }: { webhook: WebhookView; secret: string | null },
    request: FastifyRequest,
  ): WebhookCreated => ({ ...shown(webhook, request), ...(secret === null ? {} : { secret }) });

  /** Throws WEBHOOK_NOT_FOUND, also where it must not be seen, and FORBIDDEN. */
  function mayChange(identity: Identity, id: string): void {
    const { workflowId, environment } = webhooks.get(id);
    if (!scope.sees(identity, 'workflows.read', workflowId)) webhooks.get('');
    mayPublish(app, identity, { id: workflowId, environment });
  }

  route(app, 'webhooks.list', ({ query, identity, request }) => {
    const within = scope.within(identity, 'workflows.read');
    const page = webhooks.list({ ...query, within });
    return { ...page, items: page.items.map((webhook) => shown(webhook, request)) };
  });
  route(app, 'webhooks.create', async ({ body, actor, identity, request }) => {
    const { workflowId, environment } = body;
    mayPublish(app, identity, { id: workflowId, environment });
    await workflows.get(workflowId);
    return created(await webhooks.create(body, actor), request);
  });
  route(app, 'webhooks.preview', async ({ body, identity }) => {
    const { workflowId, environment } = body;
    mayPublish(app, identity, { id: workflowId, environment });
    await workflows.get(workflowId);
    return previewDelivery(services, body);
  });
  route(app, 'webhooks.get', ({ params, request }) => shown(webhooks.get(params.id), request));
  route(app, 'webhooks.update', async ({ params, body, actor, identity, request }) => {
    mayChange(identity, params.id);
    return created(await webhooks.update(params.id, body, actor), request);
  });
  route(app, 'webhooks.delete', ({ params, actor, identity }) => {
    mayChange(identity, params.id);
    return webhooks.remove(params.id, actor);
  });
  route(app, 'webhooks.rotate', async ({ params, body, actor, identity, request }) => {
    mayChange(identity, params.id);
    return created(await webhooks.rotate(params.id, body, actor), request);
  });
  route(app, 'webhooks.deliveries', ({ params, query }) => webhooks.deliveries.list(params.id, query));
  route(app, 'webhooks.delivery', ({ params }) => webhooks.deliveries.get(params.id, params.delivery));
  route(app, 'webhooks.replay', async ({ params, actor }) => {
    const webhook = webhooks.active(params.id);
    const { request, deliveryId } = webhooks.deliveries.request(params.id, params.delivery);
    try {
      const delivered = await deliver(services, load, {
        webhook,
        request,
        deliveryId,
        signature: null,
        replayOf: params.delivery,
        note: (db, jobId) =>
          access.audit.record(db, actor, {
            action: 'webhook.replay',
            target: `webhook:${webhook.id}`,
            before: null,
            after: { delivery: params.delivery, jobId },
          }),
      });
      return delivered.kind === 'filtered'
        ? { deliveryId: delivered.id, jobId: null, status: null }
        : { deliveryId: delivered.id, jobId: delivered.jobId, status: delivered.status };
    } catch (error) {
      throw error instanceof DeliveryError ? error.fault : error;
    }
  });
}
