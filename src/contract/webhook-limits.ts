import { live } from './limit.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of webhooks; a part of `limits.ts`. */
export const WEBHOOK_LIMITS = {
  /** Maximum number of webhooks. */
  webhooks: live(1000, 1, 100_000),
  /** Maximum size of a delivery after decompression, in bytes. */
  webhookBodyBytes: live(MIB, 1024, 25 * MIB),
  /** Maximum number of parts of a multipart delivery. */
  webhookParts: live(100, 1, 10_000),
  /** Verified deliveries per second and webhook that sets no limit of its own; bursts of one second are allowed. 0: no limit. */
  webhooksPerSecond: live(100, 1, 1_000_000, 0),
  /** Refused deliveries per second and address; beyond it, all deliveries from there get 429 `RATE_LIMITED` for a moment. 0: no limit. */
  webhookRefusalsPerSecond: live(20, 1, 1_000_000, 0),
  /** Latest deliveries that are kept of each webhook. */
  webhookDeliveries: live(50, 1, 1000),
  /** Latest refused deliveries that are kept of each webhook beside them. */
  webhookRefusals: live(20, 0, 1000),
  /** Bodies of deliveries larger than this are not kept and cannot be replayed, in bytes. */
  webhookKeptBytes: live(256 * KIB, 0, 25 * MIB),
  /** How long a delivery ID is remembered, so that it starts one job only, in days. */
  webhookReplayDays: live(30, 1, 365),
} as const;
