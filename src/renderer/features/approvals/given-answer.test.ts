import { expect, it } from 'vitest';
import { givenAnswer } from './given-answer.ts';

const output = (form: string) =>
  new TextEncoder().encode(`{"input":{"order":4711},"approval":{"decision":"approve","form":${form}},"timedOut":false}`)
    .buffer;
const SCHEMA = {
  type: 'object',
  required: ['reason'],
  properties: { sum: { type: 'number', title: 'Amount' }, reason: { type: 'string' }, express: { type: 'boolean' } },
};

it('says what was filled in, by the names and in the order of the form', () => {
  expect(givenAnswer(SCHEMA, output('{"express":true,"sum":12.50,"more":[1],"reason":"paid"}'))).toEqual([
    { label: 'reason', value: 'paid' },
    { label: 'Amount', value: '12.5' },
    { label: 'express', value: true },
    { label: 'more', value: '[1]' },
  ]);
  expect(givenAnswer({ type: 'array' }, output('[1,2]'))).toEqual([{ label: '', value: '[1,2]' }]);
});

it('keeps long numbers, and says nothing where nothing was filled in', () => {
  expect(givenAnswer(SCHEMA, output('{"sum":12345678901234567890}'))).toEqual([
    { label: 'Amount', value: '12345678901234567890' },
  ]);
  expect(givenAnswer(SCHEMA, output('null'))).toBeNull();
});
