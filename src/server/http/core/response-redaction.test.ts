import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteName } from '../../../contract/routes.ts';
import { LIMITS, type Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import { createRedactor, type NamedSecret } from '../../../lib/redact.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createOffload } from '../../offload/offload.ts';
import type { Offload } from '../../offload/port.ts';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';
import { createResponseRedaction, jsonText, type Json } from './response-redaction.ts';
import { createRedactionWork } from '../offload/redaction.ts';

const HORSE: NamedSecret = { name: 'HORSE', value: 'correct-horse' };
const long = (text: string) => JSON.stringify({ pad: 'x'.repeat(LIMITS.heavyAnswerBytes), text });

describe('an answer to an operator', () => {
  let harness: Harness;
  let jobId: string;
  /** What the thread was asked. */
  const asked: string[] = [];

  beforeAll(async () => {
    const thread = createOffload({
      file: threadFile(import.meta.url, '../offload/offload-thread.ts', 'offload-thread.js'),
      limits: LIMITS,
      onError: () => {},
    });
    const redactionThread: Offload = {
      ...thread,
      call(method, ask, moved) {
        asked.push(method);
        return thread.call(method, ask, moved);
      },
    };
    harness = await startHarness({ services: { redactionThread } });
    // The harness tells its own thread.
    harness.services.secrets.watch(redactionThread.redact);
    harness.jobs.hold = true;
    await harness.publish('upper');
    const { runnable } = harness.services.workflows.endpoint('upper', 'dev') as Extract<
      ReturnType<typeof harness.services.workflows.endpoint>,
      { found: 'published' }
    >;
    jobId = (
      await harness.jobs.submit({
        runnable,
        environment: 'dev',
        kind: 'batch',
        inputs: [{ content: 'a' }],
        externalId: null,
        replicaRunTimeoutSeconds: null,
        idempotency: null,
      })
    ).jobId;
  });
  afterAll(async () => {
    await harness.services.redactionThread.close();
    await harness.close();
  });

  async function outputOf(text: string): Promise<string> {
    asked.length = 0;
    harness.jobs.finish(jobId, { status: 'COMPLETED', outputText: text });
    const answer = await harness.app.inject({
      url: `/api/v1/jobs/${jobId}/output`,
      headers: { authorization: `Bearer ${harness.tokens.viewer}` },
    });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    return answer.body;
  }

  it('is looked through in the thread where it is long, and nowhere while there is no secret', async () => {
    const numbers = '{"n":12345678901234567890}';
    expect(await outputOf(long('correct-horse'))).toContain('correct-horse');
    expect(asked).toEqual([]);
    await harness.services.secrets.put('HORSE', { value: HORSE.value }, tester);
    expect(await outputOf('{"text":"a correct-horse"}')).toBe('{"output":{"text":"a [secret HORSE]"},"error":null}');
    expect(asked).toEqual([]);
    const text = `[${long('a correct-horse')},${numbers},"ü"]`;
    expect(await outputOf(text)).toBe(`{"output":${text.replace('correct-horse', '[secret HORSE]')},"error":null}`);
    expect(asked).toEqual(['redactResponse']);
    expect(await outputOf(`[${long('nothing')},${numbers}]`)).toContain(numbers);
    // The thread knows what became a secret since, also where it is a new one.
    await harness.services.secrets.put('BATTERY', { value: 'battery-staple' }, tester);
    expect(await outputOf(long('battery-staple'))).toContain('[secret BATTERY]');
    await harness.services.secrets.remove('BATTERY', tester);
    expect(await outputOf(long('battery-staple'))).toContain('battery-staple');
  });
});

describe('an answer for which the thread has no time', () => {
  const shownWith = (refusals: number, route: RouteName = 'tasks.output', limits: Limits = LIMITS) => {
    const work = createRedactionWork();
    work.redact([HORSE]);
    let calls = 0;
    const call = async (_method: string, ask: Parameters<typeof work.redactResponse>[0]) => {
      if (++calls <= refusals) throw new Fault('OVERLOADED', 'much waits');
      return work.redactResponse(ask);
    };
    const secrets = {
      redactor: createRedactor([HORSE], 6),
      watch: (listener: (all: readonly NamedSecret[]) => void) => listener([HORSE]),
    };
    return createResponseRedaction({ secrets, redactionThread: { call } as unknown as Offload, limits })(route);
  };
  const settled = async (json: Json | Promise<Json>) => jsonText(await json);

  it('waits, up to so many bytes of all that wait; beyond them it is refused, unless what was asked for is done', async () => {
    expect(await settled(shownWith(1)(Buffer.from(long('correct-horse')), false))).toContain('[secret HORSE]');
    const narrow = { ...LIMITS, heavyQueueBytes: LIMITS.heavyAnswerBytes };
    const shown = shownWith(3, 'tasks.output', narrow);
    const all = await Promise.allSettled([1, 2, 3].map(() => settled(shown(long('correct-horse'), false))));
    expect(all.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await settled(shownWith(1)(long('correct-horse'), true))).toContain('[secret HORSE]');
  });

  it('is looked through wherever data may stand: in names of members, codes and fields of logs', async () => {
    const horse = HORSE.value;
    const json = JSON.stringify({
      differences: [{ path: `/${horse}`, kind: 'changed' }],
      error: { code: `E-${horse}` },
      records: [{ level: 'INFO', own: horse }],
    });
    expect(JSON.parse(await settled(shownWith(0, 'logs.search')(json, false)))).toEqual({
      differences: [{ path: '/[secret HORSE]', kind: 'changed' }],
      error: { code: 'E-[secret HORSE]' },
      records: [{ level: 'INFO', own: '[secret HORSE]' }],
    });
  });

  it('may be bytes as well', async () => {
    expect(await settled(shownWith(0)(Buffer.from(long('correct-horse ü')), false))).toBe(long('[secret HORSE] ü'));
    expect(await settled(shownWith(0)(Buffer.from('"correct-horse"'), false))).toBe('"[secret HORSE]"');
  });
});
