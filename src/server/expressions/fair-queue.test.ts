import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const shares = { inAll: 4, ofProject: 3, ofWorkflow: 2, waiting: 10 };
const asker = (name: string) => ({ project: name.slice(0, 1), workflow: name });

/** Names of what gets a turn, until nobody does. */
function turns(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let turn = queue.take(); turn !== null; turn = queue.take()) items.push(turn.item);
  return items;
}

describe('a fair queue', () => {
  it('leaves a place to other workflows, and to other projects', () => {
    const queue = new FairQueue<string>(shares);
    for (const name of ['a1', 'a1', 'a1', 'a2', 'a3', 'b1']) queue.add(asker(name), name, 1);
    expect(turns(queue)).toEqual(['a1', 'b1', 'a2', 'a3']);
    queue.done(asker('b1'));
    expect(turns(queue)).toEqual([]);
    queue.done(asker('a2'));
    expect(turns(queue)).toEqual(['a1']);
  });

  it('gives the next turn to whoever waited longest for one', () => {
    const queue = new FairQueue<string>({ ...shares, inAll: 1 });
    for (const name of ['a1', 'a1', 'a2', 'b1', 'b1']) queue.add(asker(name), name, 1);
    const order: string[] = [];
    for (let turn = queue.take(); turn !== null; turn = queue.take()) {
      order.push(turn.item);
      queue.done(turn.asker);
    }
    expect(order).toHaveLength(5);
    expect(order.slice(0, 2)).toEqual(['a1', 'b1']);
  });

  it('drops the newest of whoever has most waiting', () => {
    const queue = new FairQueue<string>(shares);
    expect(queue.add(asker('a1'), 'old', 6)).toEqual([]);
    expect(queue.add(asker('a1'), 'new', 3)).toEqual([]);
    expect(queue.add(asker('b1'), 'other', 4)).toEqual(['new']);
    expect(queue.add(asker('a1'), 'more', 5)).toEqual(['more']);
    expect(queue.drain().sort()).toEqual(['old', 'other']);
    expect(queue.add(asker('b1'), 'again', 10)).toEqual([]);
  });
});
