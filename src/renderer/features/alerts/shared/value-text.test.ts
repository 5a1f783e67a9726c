import { expect, it } from 'vitest';
import type { AlertQuery } from '../../../../contract/alert-rules.ts';
import type { Reducer, Signal } from '../../../../contract/vocabulary.ts';
import { unitForRule, valueText } from './value-text.ts';

const bySignal = (signal: Signal) => unitForRule({ query: { source: 'engine', signal }, reducer: 'last' });
const byField = (field: string, reducer: Reducer = 'last') => {
  const query: AlertQuery = { source: 'metrics', measurement: 'task_metrics', field, aggregate: 'mean' };
  return unitForRule({ query, reducer });
};

it('says the value of an alert in the unit of its rule', () => {
  expect(valueText(165.3, bySignal('approvalsWaiting'))).toBe('2 min 45 s');
  expect(valueText(0.2667, bySignal('failureRate'))).toBe('26.7%');
  expect(valueText(412.4, bySignal('clusterAppend'))).toBe('412 ms');
  expect(valueText(51_200, bySignal('pipelineBacklog'))).toBe('51,200');
  expect(valueText(1500, byField('timer_run_ms'))).toBe('1.50 s');
  expect(valueText(3 * 1024 ** 2, byField('gauge_memory_usage'))).toBe('3.0 MiB');
});

it('says a count without a unit, and so a value whose rule is gone', () => {
  expect(valueText(4, byField('timer_run_ms', 'count'))).toBe('4');
  expect(valueText(7, unitForRule({ query: { source: 'logs', query: 'error' }, reducer: 'last' }))).toBe('7');
  expect(valueText(5.4351)).toBe('5.435');
  expect(valueText(null, 'seconds')).toBe('–');
});
