import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { createDelivery, type Sent } from './delivery.ts';
import { openSpool } from './spool.ts';

/** A delivery to a target that answers as it is told. */
function open(answers: Sent[], mostBytes = 1e6) {
  const sent: string[] = [];
  const lines: string[] = [];
  const now = Date.now;
  const spool = openSpool(temporaryFolder('delivery'), {
    mostBytes: () => mostBytes,
    now,
    onDropped: (items) => delivery.lose(items, 'no room'),
  });
  const delivery = createDelivery({
    ...{ name: 'the store', what: 'points', spool, now, random: () => 0 },
    target: {
      async send(body) {
        sent.push(body.toString());
        return answers.shift() ?? { kind: 'stored', lost: 0, reason: null };
      },
      close: () => undefined,
    },
    log: (line) => lines.push(line),
    onChange: () => undefined,
  });
  onTestFinished(() => delivery.close(100));
  const put = (text: string) => {
    spool.put(new TextEncoder().encode(text), text.length);
    delivery.kick();
  };
  return { delivery, put, sent, lines };
}
const later = (why: string): Sent => ({ kind: 'later', why, afterMs: null });

it('delivers in order, and repeats a batch until it is taken', async () => {
  const { delivery, put, sent, lines } = open([later('busy')]);
  for (const text of ['a', 'bb', 'ccc']) put(text);
  await expect.poll(() => delivery.stats().items).toBe(0);
  expect(sent).toEqual(['a', 'a', 'bb', 'ccc']);
  expect(delivery.stats()).toMatchObject({ state: 'ok', delivered: 6, retried: 1, lost: 0, reason: null });
  expect(lines).toEqual([
    expect.stringMatching(/^the store did not take points: busy; \d+ are queued on disk, retrying in 0\.5 s$/),
    'the store takes points again',
  ]);
});

it('does not keep who waits for longer than told, nor where the store is failing', async () => {
  const { delivery, put } = open(Array.from({ length: 9 }, () => later('down')));
  await delivery.settle(60_000);
  put('a');
  await delivery.settle(60_000);
  expect(delivery.stats()).toMatchObject({ state: 'failing', reason: 'down', items: 1 });
});

it('leaves on disk what it cannot deliver before it ends', async () => {
  const { delivery, put } = open(Array.from({ length: 9 }, () => later('down')));
  put('abc');
  await delivery.close(2000);
  expect(delivery.stats().items).toBe(3);
});

it('counts what is lost, and tells of it at each tenfold', async () => {
  const { delivery, put, lines } = open([{ kind: 'stored', lost: 2, reason: 'bad point' }]);
  put('abc');
  await expect.poll(() => delivery.stats()).toMatchObject({ delivered: 1, lost: 2, lostReason: 'bad point' });
  for (let i = 0; i < 30; i++) delivery.lose(1, 'no room');
  expect(lines).toEqual([
    '2 points for the store were lost since the start; the last because: bad point',
    '20 points for the store were lost since the start; the last because: no room',
  ]);
});
