import type { WebhookPreview, WebhookPreviewDraft } from '../../../contract/webhooks.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import type { HookRequest } from '../../webhooks/port.ts';
import type { Services } from '../core/services.ts';
import { checkedInputs, decode, documentOf, mappedInputs, passesFilter } from './delivery-inputs.ts';

/**
 * What a filter and a mapping would make of a delivery: no job is started, and nothing is kept. The delivery comes with the
 * question, so that whoever asks sees nothing of it that they did not know. Throws INVALID_JSON, BAD_REQUEST.
 */
export async function previewDelivery(services: Services, draft: WebhookPreviewDraft): Promise<WebhookPreview> {
  const { workflowId, environment, filter = null, mapping = null, sample } = draft;
  const request: HookRequest = {
    method: sample.method ?? 'POST',
    query: sample.query ?? '',
    headers: Object.fromEntries(
      Object.entries(sample.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    body: Buffer.from(sample.body ?? '', sample.bodyEncoding ?? 'utf8'),
    address: null,
  };
  const webhook = { workflowId, filter, mapping, verification: null };
  const body = await decode(services, webhook, request);
  const document = documentOf(services, webhook, request, body, sample.deliveryId ?? null);
  const passes = await told(passesFilter(services, webhook, () => document));
  const inputs = await told(mappedInputs(services, webhook, request, body, () => document));
  const refused = inputs.value === null ? null : await whyRefused(services, { workflowId, environment }, inputs.value);
  const shown = (text: string): unknown => parseJson(services.secrets.redactor.json(text));
  return {
    document: shown(document),
    filter: { passes: passes.value, error: passes.error },
    mapping: { inputs: inputs.value === null ? null : shown(inputs.value), error: inputs.error },
    refused,
  };
}

/** What an expression gives, or how it fails. */
async function told<T>(run: Promise<T>): Promise<{ value: T; error: null } | { value: null; error: string }> {
  try {
    return { value: await run, error: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { value: null, error: error.message };
  }
}

async function whyRefused(
  services: Services,
  { workflowId, environment }: Pick<WebhookPreviewDraft, 'workflowId' | 'environment'>,
  inputs: string,
): Promise<string | null> {
  const endpoint = services.workflows.endpoint(workflowId, environment);
  if (endpoint.found !== 'published') return `workflow ${workflowId} is not published to ${environment}`;
  try {
    await checkedInputs(services, endpoint.runnable, inputs);
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const [first] = error.errors ?? [];
    return first ? `${first.pointer}: ${first.message}` : error.message;
  }
}
