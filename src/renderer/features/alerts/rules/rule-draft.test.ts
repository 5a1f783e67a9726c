import { expect, it } from 'vitest';
import { ruleFromFields, ruleFieldErrors, fieldsFromRule, previewRequest } from './rule-draft.ts';

it('begins with a rule that only needs a name', () => {
  const fields = fieldsFromRule(null);
  expect(Object.keys(ruleFieldErrors(fields))).toEqual(['name']);
  expect(previewRequest(fields, null)).toMatchObject({ threshold: { op: 'gt', value: 10 }, rangeSeconds: 300 });
});

it('makes of what is typed what the API takes', () => {
  const draft = ruleFromFields(
    {
      ...fieldsFromRule(null),
      name: ' Slow ',
      groupBy: 'workflow_id environment',
      filters: 'environment=dev|prod',
      labels: 'team=shop',
      op: 'within',
      value: '1',
      upper: '3',
      range: '10m',
      wait: '0',
      summary: 'It is {{ $value }}',
    },
    null,
  );
  expect(draft).toMatchObject({
    name: 'Slow',
    query: { source: 'metrics', groupBy: ['workflow_id', 'environment'], filters: { environment: ['dev', 'prod'] } },
    threshold: { op: 'within', value: 1, upper: 3 },
    rangeSeconds: 600,
    forSeconds: 0,
    labels: { team: 'shop' },
    annotations: { summary: 'It is {{ $value }}' },
  });
  expect(
    ruleFromFields({ ...fieldsFromRule(null), source: 'logs', logs: 'level:ERROR', groupBy: '' }, null),
  ).toMatchObject({
    query: { source: 'logs', query: 'level:ERROR' },
    reducer: 'sum',
  });
});

it('says what is wrong by field', () => {
  expect(
    ruleFieldErrors({
      ...fieldsFromRule(null),
      name: 'x',
      value: 'many',
      range: 'soon',
      labels: 'team',
      op: 'outside',
    }),
  ).toEqual({
    value: 'A number.',
    upper: 'A number.',
    range: 'For example 30s, 5m or 1h.',
    labels: 'Use name=value, separated by commas.',
  });
});
