import type {
  Channel,
  ChannelDraft,
  ChannelPatch,
  ChannelTest,
  Policy,
  PolicyBody,
} from '../../contract/alert-channels.ts';
import type { AlertRule, Preview, PreviewBody, RuleDraft, RulePatch } from '../../contract/alert-rules.ts';
import type { Alert, AlertEvent, AlertHistory, Silence, SilenceDraft } from '../../contract/alerts.ts';
import type { Page } from '../../contract/shapes.ts';
import type { AlertState } from '../../contract/vocabulary.ts';
import type { Actor } from '../workflows/port.ts';

interface Paging {
  page: number;
  size: number;
}

interface Seen {
  /** Whether the reader sees rules of a project (null: those about everything); left out: all. */
  sees?: ((project: string | null) => boolean) | undefined;
}

/** Rules over metrics and logs, what they found, and who is told. Changes are audited in their transaction. */
export interface Alerts {
  /** Instances that are not Normal, the worst first. */
  /** `heldBack`: those alone that a silence or another alert keeps back, or the others. */
  list(query: Paging & Seen & { state?: AlertState[]; ruleId?: string; q?: string; heldBack?: boolean }): Page<Alert>;
  /** Of the live stream; null: it is gone. */
  event(id: string): AlertEvent | null;
  /** Somebody looks after it: its messages are not repeated until it ends or gets worse. Throw ALERT_NOT_FOUND, ALERT_NOT_FIRING. */
  acknowledge(id: string, note: string, actor: Actor): Promise<Alert>;
  withdraw(id: string, actor: Actor): Promise<Alert>;
  /** All but `preview` throw ALERT_RULE_NOT_FOUND. */
  rules: {
    list(query: Paging & Seen): Page<AlertRule>;
    get(id: string): AlertRule;
    create(draft: RuleDraft, actor: Actor): Promise<AlertRule>;
    update(id: string, patch: RulePatch, actor: Actor): Promise<AlertRule>;
    remove(id: string, actor: Actor): Promise<void>;
    preview(body: PreviewBody): Promise<Preview>;
  };
  silences: {
    list(query: Paging & { state?: Silence['state'] }): Page<Silence>;
    create(draft: SilenceDraft, actor: Actor): Promise<Silence>;
    /** Ends it now. SILENCE_NOT_FOUND. */
    expire(id: string, actor: Actor): Promise<void>;
  };
  /** Throw CHANNEL_NOT_FOUND. Secrets are written, never read back. */
  channels: {
    list(query: Paging): Page<Channel>;
    get(id: string): Channel;
    create(draft: ChannelDraft, actor: Actor): Promise<Channel>;
    update(id: string, patch: ChannelPatch, actor: Actor): Promise<Channel>;
    remove(id: string, actor: Actor): Promise<void>;
    /** Sends a message now and tells what the receiver answered. */
    test(id: string, actor: Actor): Promise<ChannelTest>;
    /** Templates filled in for an example. */
    template(body: { title?: string; message?: string }): { title: string; message: string };
  };
  policy: {
    get(): Policy;
    put(body: PolicyBody, actor: Actor): Promise<Policy>;
  };
  history(query: Paging & Seen & { kind?: AlertHistory['kind']; ruleId?: string }): Page<AlertHistory>;
  stats(): { firing: number; pending: number; waiting: number; skipped: number };
  /** Deletes what is older than the limits say. */
  tidy(): Promise<void>;
  /** Stops the loops; waits for writes under way. */
  close(): Promise<void>;
}
