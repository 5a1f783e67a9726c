import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { Instant } from '../../../contract/shapes.ts';
import { createRouteCompiler } from './validate.ts';

it('takes no time that is none to count with, such as a leap second', () => {
  const shape = Type.Object({ at: Instant });
  const { query, body } = createRouteCompiler(LIMITS, null)({ query: shape, body: shape });
  for (const at of ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.123+01:00'])
    expect([at, query({ at }), body?.({ at })]).toEqual([at, true, true]);
  for (const at of ['2026-12-31T23:59:60Z', '2026-12-31T15:59:60-08:00', '2026-02-30T00:00:00Z', '2026-12-31', ''])
    expect([at, query({ at }), body?.({ at })]).toEqual([at, false, false]);
});
