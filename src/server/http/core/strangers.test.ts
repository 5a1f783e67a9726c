import { expect, it } from 'vitest';
import { createStrangers } from './strangers.ts';

it('the oldest body of whoever has the most gives way, and no other', () => {
  const strangers = createStrangers(
    () => 100,
    (address) => address ?? '',
  );
  const cut: string[] = [];
  const enter = (name: string, address: string) => strangers.enter(address, () => void cut.push(name));
  const [a1, a2, b] = [enter('a1', 'a'), enter('a2', 'a'), enter('b', 'b')];
  a1.grow(40);
  a2.grow(30);
  b.grow(30);
  expect(cut).toEqual([]);
  b.grow(1);
  expect(cut).toEqual(['a1']);
  // It is gone, and counts no more.
  a1.grow(1000);
  b.leave();
  a2.grow(70);
  expect(cut).toEqual(['a1']);
  a2.grow(1);
  expect(cut).toEqual(['a1', 'a2']);
});
