import { describe, expect, it } from 'vitest';
import { Fault } from '../../../../lib/fault.ts';
import { createRedactor } from '../../../../lib/redact.ts';
import type { Offload } from '../../../offload/port.ts';
import { jsonText } from '../../core/response-redaction.ts';
import { createRedactionWork } from '../../offload/redaction.ts';
import { createBundleRedaction } from './redact-bundle.ts';

const named = [{ name: 'HORSE', value: 'correct-horse' }];
const secrets = { redactor: createRedactor(named, 6) };

function redactWith(refusals: number) {
  const asked: string[] = [];
  const stop = new AbortController();
  const thread = createRedactionWork();
  thread.redact(named);
  const call = async (method: string, ask: Parameters<typeof thread.redactBundleText>[0]) => {
    asked.push(method);
    if (asked.length <= refusals) throw new Fault('OVERLOADED', 'much waits');
    return thread.redactBundleText(ask);
  };
  const redact = createBundleRedaction({
    secrets,
    redactionThread: { call } as unknown as Offload,
    signal: stop.signal,
  });
  return { asked, stop, redact: async (...ask: Parameters<typeof redact>) => jsonText(await redact(...ask)) };
}

describe('the redaction of a bundle', () => {
  it('leaves long texts to the thread, and waits until that has time', async () => {
    const { redact, asked } = redactWith(1);
    expect(await redact('whole', '{"a":"correct-horse"}')).toBe('{"a":"[secret HORSE]"}');
    expect(asked).toEqual([]);
    const long = JSON.stringify({ a: 'x'.repeat(40_000), b: 'correct-horse' });
    expect(await redact('whole', long)).toBe(long.replace('correct-horse', '[secret HORSE]'));
    expect(asked).toEqual(['redactBundleText', 'redactBundleText']);
  });

  it('waits no longer once the reader is gone', async () => {
    const { redact, stop } = redactWith(Number.POSITIVE_INFINITY);
    const waiting = redact('whole', JSON.stringify('x'.repeat(40_000)));
    stop.abort();
    await expect(waiting).rejects.toThrow();
  });

  it('looks into every field of a log record, and leaves what the product wrote', async () => {
    const { redact } = redactWith(0);
    const line = (url: string, name: string) => `${JSON.stringify({ _time: 'correct-horse', url, [name]: '1' })}\n`;
    expect(await redact('records', line('https://x/?k=correct-horse', 'correct-horse'))).toBe(
      line('https://x/?k=[secret HORSE]', '[secret HORSE]'),
    );
    expect(await redact('lines', '{"name":"correct-horse","state":"correct-horse"}\n')).toBe(
      '{"name":"[secret HORSE]","state":"correct-horse"}\n',
    );
  });
});
