import type { Body, Query } from '../../contract/routes.ts';
import { call } from './client.ts';
import { read, readList } from './read.ts';

export const webhookKeys = {
  all: ['webhooks'] as const,
  list: (query: Query<'webhooks.list'>) => ['webhooks', 'list', query] as const,
  deliveries: (id: string) => ['webhooks', 'deliveries', id] as const,
  delivery: (id: string, delivery: string) => ['webhooks', 'deliveries', id, delivery] as const,
};

export const webhooksQuery = (query: Query<'webhooks.list'>) =>
  readList(webhookKeys.list(query), 'webhooks.list', { query });
export const deliveriesQuery = (id: string) =>
  readList(webhookKeys.deliveries(id), 'webhooks.deliveries', { params: { id }, query: { page: 0, size: 100 } });
export const deliveryQuery = (id: string, delivery: string) =>
  read(webhookKeys.delivery(id, delivery), 'webhooks.delivery', { params: { id, delivery } });

/** `text`: a draft as JSON. */
export const previewWebhook = (text: string, signal: AbortSignal) =>
  call('webhooks.preview', { json: text, signal, lossless: true });

export const createWebhook = (body: Body<'webhooks.create'>) => call('webhooks.create', { body });
export const changeWebhook = (id: string, body: Body<'webhooks.update'>) =>
  call('webhooks.update', { params: { id }, body });
export const rotateWebhook = (id: string, overlapSeconds: number) =>
  call('webhooks.rotate', { params: { id }, body: { overlapSeconds } });
export const deleteWebhook = (id: string) => call('webhooks.delete', { params: { id } });
export const replayDelivery = (id: string, delivery: string) => call('webhooks.replay', { params: { id, delivery } });
