import type { ChannelTest } from '../../contract/alert-channels.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Access } from '../access/port.ts';
import type { Store } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import { exampleMessage, type LoadedChannel } from './channels.ts';
import { recordHistory } from './history.ts';
import { send, type SendDeps } from './notify/send.ts';

interface TestDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Limits>;
  readonly record: Access['audit']['record'];
  readonly sendDeps: SendDeps;
}

/** Sends an example by a channel, once and at once; what came of it is in the history. */
export async function testChannel(
  { store, clock, limits, record, sendDeps }: TestDeps,
  channel: LoadedChannel,
  actor: Actor,
): Promise<ChannelTest> {
  const { id, name, secrets } = channel;
  if (secrets === null)
    throw new Fault(
      'SECRETS_LOCKED',
      'the secrets of this channel cannot be decrypted: the encryption key is missing (docs/secrets.md)',
    );
  const now = clock.now();
  const begun = performance.now();
  const message = exampleMessage(uuidv7(now), id, now);
  const { ok, status, answer } = await send(
    message,
    channel,
    secrets,
    sendDeps,
    AbortSignal.timeout(limits.alertSendSeconds * 2000),
  );
  await store.write((db) => {
    record(db, actor, {
      action: 'alert-channel.test',
      target: `alert-channel:${id}`,
      before: null,
      after: { ok, status },
    });
    recordHistory(db, {
      at: now,
      kind: 'notification',
      channelId: id,
      channelName: name,
      status: 'firing',
      ok,
      attempt: 1,
      firing: 1,
      resolved: 0,
      reason: 'Test',
      title: 'Test notification',
      answer: `${status ?? ''} ${answer}`.trim().slice(0, 500),
    });
  });
  return { ok, status, answer, durationMs: Math.round(performance.now() - begun) };
}
