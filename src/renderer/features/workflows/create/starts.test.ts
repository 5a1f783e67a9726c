import { expect, test } from 'vitest';
import { TEMPLATE_IDS } from '../../../../lib/workflow-templates/catalogue.ts';
import { findStarts } from './starts.ts';

const found = (typed: string) => findStarts(typed).flatMap(({ starts }) => starts.map(({ id }) => id));

test('all are offered at first, each once', () => {
  expect(found('')).toHaveLength(TEMPLATE_IDS.length + 2);
  expect(new Set(found('')).size).toBe(TEMPLATE_IDS.length + 2);
});

test('words are looked for in name, sentence and category, in any order', () => {
  expect(found('payment')).toEqual(['wait-for-signal']);
  expect(found('PERSON  small')).toEqual(['approve-amount']);
  expect(found('data text')).toEqual(['report']);
  expect(found('no such thing')).toEqual([]);
});
