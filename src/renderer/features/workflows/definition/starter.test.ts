import { expect, it } from 'vitest';
import { sampleInputs } from '../sample-input.ts';
import { starterDefinition } from './starter.ts';

it('takes any object, and is tried with content', () => {
  const { input } = starterDefinition('x');
  expect(input).toEqual({ type: 'object', properties: { content: { examples: ['hello'] } } });
  expect(JSON.parse(sampleInputs(input))).toEqual([{ content: 'hello' }]);
});
