import { expect, it } from 'vitest';
import { ApiError } from '../../../../lib/api-error.ts';
import { markInputs, refusedInputs } from './mark-inputs.ts';

const schema = {
  type: 'object',
  required: ['content'],
  properties: { content: { type: 'string' }, count: { type: ['integer', 'null'] } },
};

it('marks what the input schema forbids, where it stands', () => {
  const text = '[{"content": 7}]';
  const [mark] = markInputs(text, schema, []);
  expect(text.slice(mark?.from, mark?.to)).toBe('7');
  expect(mark?.message).toContain('/0/content: Expected a string');
  expect(markInputs('[{}]', schema, [])).toHaveLength(1);
  expect(markInputs('{}', schema, [])[0]?.message).toContain('array of inputs');
});
it('marks nothing by words of a schema that it does not know', () => {
  expect(markInputs('[{"content": "x", "count": "many"}]', schema, [])).toEqual([]);
  expect(markInputs('[1]', undefined, [])).toEqual([]);
});
it('shows what the master refused at its place', () => {
  const error = new ApiError(
    'POST /',
    422,
    { code: 'INPUT_INVALID', errors: [{ pointer: '/0/count', message: 'must be whole' }] },
    null,
  );
  const text = '[{"content": "x", "count": 1.5}]';
  const [mark] = markInputs(text, schema, refusedInputs(error));
  expect(text.slice(mark?.from, mark?.to)).toBe('1.5');
  expect(
    refusedInputs(
      new ApiError(
        'POST /',
        422,
        {
          code: 'VALIDATION_FAILED',
          errors: [
            { pointer: '/inputs/1', message: 'x' },
            { pointer: '/fromNode', message: 'y' },
          ],
        },
        null,
      ),
    ),
  ).toEqual([{ pointer: '/1', message: 'x' }]);
});
it('says where the JSON is broken', () => {
  expect(markInputs('[{"a": }]', schema, [])[0]?.severity).toBe('error');
});
