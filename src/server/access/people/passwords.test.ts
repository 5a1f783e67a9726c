import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

const cheap = { passwordCharacters: 12, passwordCost: 4, passwordPasses: 1, passwordChecksWaiting: 3 };
const passwords = createPasswords(cheap);
const login = 'alice';
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'taken',
    (error: unknown) => (error as { code?: string }).code,
  );

describe('a password', () => {
  it('is known again, and no other is taken for it', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        fc.pre(new Set(one.normalize('NFKC')).size >= 4 && one.normalize('NFKC') !== other.normalize('NFKC'));
        fc.pre([...one.normalize('NFKC')].length >= 12);
        const kept = await passwords.hash(one, { login });
        expect(await passwords.verify(one, kept)).toBe(true);
        expect(await passwords.verify(other, kept)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it('is kept with a salt and its parameters, and nothing of it can be read', async () => {
    const text = 'correct horse battery';
    const [one, two] = [await passwords.hash(text, { login }), await passwords.hash(text, { login })];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^scrypt\$4\$8\$1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
  });

  it('is the same however a keyboard composes its letters', async () => {
    const kept = await passwords.hash('Stra\u00dfe nach K\u00f6ln', { login });
    expect(await passwords.verify('Stra\u00dfe nach Ko\u0308ln', kept)).toBe(true);
  });

  it('still opens after the limits were raised, and is then told to be outdated', async () => {
    const kept = await passwords.hash('correct horse battery', { login });
    const raised = createPasswords({ ...cheap, passwordCost: 5 });
    expect(await raised.verify('correct horse battery', kept)).toBe(true);
    expect([passwords.isOutdated(kept), raised.isOutdated(kept)]).toEqual([false, true]);
    expect(raised.isOutdated(await raised.rehash('correct horse battery'))).toBe(false);
  });

  it.each([
    ['too short', 'elevenchars', 'at least 12 characters, got 11'],
    ['one letter again and again', 'aaaaaaaaaaaaaaaa', 'repeats'],
    ['the own name with little more', 'alice1234567', 'sign-in name'],
    ['without end', 'abcdefgh'.repeat(40), 'at most 256'],
  ])('is refused where it is %s', async (_, text, says) => {
    await expect(passwords.hash(text, { login })).rejects.toMatchObject({
      code: 'PASSWORD_REFUSED',
      message: expect.stringContaining(says),
    });
  });

  it('of nobody is wrong, and a hash that is none opens to nothing', async () => {
    expect(await passwords.verify('whatever it is', null)).toBe(false);
    for (const kept of ['', 'scrypt$4$8$1$$', 'plain', 'scrypt$4$8$1$AAAAAAAAAAAAAAAAAAAAAA==$'])
      expect(await passwords.verify('', kept)).toBe(false);
  });

  it('made for somebody once is long, readable and never the same', async () => {
    const made = Array.from({ length: 50 }, () => passwords.oneTime());
    expect(new Set(made).size).toBe(50);
    for (const text of made) expect(text).toMatch(/^[a-hj-km-np-z2-9]{20}$/);
    expect(await passwords.verify(made[0] ?? '', await passwords.hash(made[0] ?? '', { login }))).toBe(true);
  });
});

it('checks one password after the other, and refuses where too many wait', async () => {
  const results = await Promise.all(Array.from({ length: 5 }, () => codeOf(passwords.verify('x', null))));
  expect(results).toEqual(['taken', 'taken', 'taken', 'OVERLOADED', 'OVERLOADED']);
  expect(await codeOf(passwords.verify('x', null))).toBe('taken');
});

it('checks those first who were not wrong before, and takes the places of others for them', async () => {
  const done: string[] = [];
  const check = async (turn: 'known' | 'new' | 'failed', n = 1) => {
    const code = await codeOf(passwords.verify('x', null, turn));
    done.push(code === 'taken' ? `${turn} ${n}` : `${turn} ${n} refused`);
  };
  const all = [check('failed'), check('failed', 2), check('failed', 3), check('new'), check('known')];
  await Promise.all([...all, check('new', 2), check('failed', 4)]);
  expect(done.filter((one) => one.endsWith('refused')).toSorted()).toEqual([
    'failed 2 refused',
    'failed 3 refused',
    'failed 4 refused',
    'new 2 refused',
  ]);
  expect(done.filter((one) => !one.endsWith('refused'))).toEqual(['failed 1', 'known 1', 'new 1']);
});

it('takes as long for a name that nobody has as for a wrong password', async () => {
  const real = createPasswords({ ...cheap, passwordCost: 14, passwordChecksWaiting: 100 });
  const kept = await real.hash('correct horse battery', { login });
  const time = async (of: string | null) => {
    const from = process.cpuUsage();
    await real.verify('wrong wrong wrong', of);
    const { user, system } = process.cpuUsage(from);
    return user + system;
  };
  await time(kept);
  // One after the other in turn, and the least of each: whatever else runs only ever adds to it.
  const known: number[] = [];
  const unknown: number[] = [];
  for (let i = 0; i < 8; i++) {
    known.push(await time(kept));
    unknown.push(await time(null));
  }
  const ratio = Math.min(...unknown) / Math.min(...known);
  expect(ratio).toBeGreaterThan(0.4);
  expect(ratio).toBeLessThan(2.5);
});
