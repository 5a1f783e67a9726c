import { API_CONTENT_SECURITY_POLICY } from '../../../lib/content-security-policy.ts';

/** Names the master that made the answer, as `GET /api/v1/cluster` does. */
export const SERVED_BY = 'x-served-by';

/** On the answers of the event endpoint, which programs call with a key of their own: no page can be made to. */
export const EVENT_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;

/** On every other answer. The API's answers are data: nothing in them may be run, framed or kept. */
export const API_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'content-security-policy': API_CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
} as const;
