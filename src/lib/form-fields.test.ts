import { expect, it } from 'vitest';
import { formFields, formValue } from './form-fields.ts';

const schema = {
  type: 'object',
  required: ['reason', 'amount'],
  properties: { amount: { type: 'number' }, express: { type: 'boolean' }, reason: { type: 'string', title: 'Why' } },
};

it('asks first for what is required, in the order in which it is named', () => {
  expect(formFields(schema).map(({ name, kind, label }) => [name, kind, label])).toEqual([
    ['reason', 'text', 'Why'],
    ['amount', 'number', 'amount'],
    ['express', 'boolean', 'express'],
  ]);
});

it('reads what was filled in by its kind, and leaves what it cannot read to the schema', () => {
  const filled: Record<string, string> = { reason: '12', amount: 'much' };
  expect(formValue(formFields(schema), (name) => filled[name] ?? null)).toEqual({
    reason: '12',
    amount: 'much',
    express: false,
  });
});
