import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSentInClear } from '../lib/plain-url.ts';
import { createMasters } from './masters.ts';

const told = (given: string | readonly string[], masters: unknown, follows = true) => {
  const said: string[] = [];
  const known = createMasters([given].flat(), follows, (line) => said.push(line));
  known.tell(masters);
  return { known, said };
};

describe('the addresses that a master tells of the others', () => {
  it('are taken beside the given one, each once, without their paths', () => {
    const { known } = told('https://lb.example:8700/', [
      'https://a.example:8700',
      'https://b.example:8700/x?y',
      'https://lb.example:8700',
    ]);
    expect(known.all).toEqual(['https://lb.example:8700', 'https://a.example:8700', 'https://b.example:8700']);
  });

  it('are no weaker than the given one', () => {
    const all = ['https://a.example', 'http://b.example', 'http://127.0.0.1:8701'];
    expect(told('https://lb.example', all).known.all).toEqual(['https://lb.example', 'https://a.example']);
    // Loopback was given: nobody accepted that the token crosses a network in the clear.
    expect(told('http://127.0.0.1:8700', all).known.all).toEqual([
      'http://127.0.0.1:8700',
      'https://a.example',
      'http://127.0.0.1:8701',
    ]);
    expect(told('http://lb.example', all).known.all).toEqual(['http://lb.example', ...all]);
  });

  it('are left alone where they are none, and each is named once', () => {
    const { known, said } = told('http://127.0.0.1:1', ['ftp://127.0.0.1', 'http://u:p@127.0.0.1', 'no', 7]);
    known.tell(['ftp://127.0.0.1']);
    expect(known.all).toEqual(['http://127.0.0.1:1']);
    expect(said).toHaveLength(4);
    expect(said[0]).toContain('only http and https lead to a master');
    for (const wrong of [undefined, null, 'http://127.0.0.1:2', { 0: 'http://127.0.0.1:2' }]) known.tell(wrong);
    expect(known.all).toEqual(['http://127.0.0.1:1']);
  });

  it('are nothing to a worker that belongs to its master', () => {
    expect(told('http://127.0.0.1:1', ['http://127.0.0.1:2'], false).known.all).toEqual(['http://127.0.0.1:1']);
  });

  it('never send a token over a weaker way, whatever they are', () => {
    const url = fc.webUrl({ validSchemes: ['http', 'https', 'ftp', 'ws'], withQueryParameters: true });
    const given = fc.uniqueArray(fc.constantFrom('http://127.0.0.1:8700', 'https://a.example', 'http://a.example'), {
      minLength: 1,
    });
    fc.assert(
      fc.property(given, fc.array(fc.oneof(url, fc.string(), fc.anything()), { maxLength: 100 }), (chosen, masters) => {
        const { all } = told(chosen, masters).known;
        expect(all.slice(0, chosen.length)).toEqual(chosen);
        const added = all.slice(chosen.length);
        expect(added.length).toBeLessThanOrEqual(64);
        for (const one of added) {
          expect(new URL(one).origin).toBe(one);
          if (chosen.some((first) => first.startsWith('https:'))) expect(one).toMatch(/^https:/);
          if (!chosen.every(isSentInClear)) expect(isSentInClear(one)).toBe(false);
        }
      }),
    );
  });
});

describe('which is tried', () => {
  const [a, b, c] = ['http://127.0.0.1:1', 'http://127.0.0.1:2', 'http://127.0.0.1:3'] as const;

  it('is the given one first, then each of the others once, and a round ends with the last', () => {
    const { known } = told(a, [a, b, c]);
    known.welcomed();
    known.lost();
    const seen = [known.current];
    const ends = [known.failed()];
    seen.push(known.current);
    ends.push(known.failed());
    seen.push(known.current);
    ends.push(known.failed());
    expect(seen[0]).toBe(a);
    expect(seen.toSorted()).toEqual([a, b, c]);
    expect(ends).toEqual([false, false, true]);
    expect(known.current).toBe(a);
  });

  it('is each of several given ones, before those that a master told of', () => {
    const { known } = told([a, b], [c]);
    expect(known.all).toEqual([a, b, c]);
    const seen = [known.current];
    expect(known.failed()).toBe(false);
    seen.push(known.current);
    expect(seen).toEqual([a, b]);
    expect(known.isTrusted).toBe(true);
    expect(known.failed()).toBe(false);
    expect([known.current, known.isTrusted]).toEqual([c, false]);
    expect(known.failed()).toBe(true);
    expect([a, b]).toContain(known.current);
  });

  it('stays where it was welcomed, and a refusal counts there and at the given address', () => {
    const { known } = told(a, [a, b]);
    expect(known.isTrusted).toBe(true);
    known.failed();
    expect([known.current, known.isTrusted]).toEqual([b, false]);
    known.welcomed();
    known.tell([a, b, c]);
    expect([known.current, known.isTrusted]).toEqual([b, true]);
  });
});
