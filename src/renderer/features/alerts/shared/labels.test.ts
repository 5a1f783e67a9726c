import { describe, expect, it } from 'vitest';
import { matcherText, matchersIn, queryText, secondsIn, durationText, thresholdText } from './labels.ts';

describe('words of alerts', () => {
  it('say what a rule looks at', () => {
    expect(
      queryText({
        source: 'metrics',
        measurement: 'task_metrics',
        field: 'timer_run_ms',
        aggregate: 'p95',
        groupBy: ['workflow_id'],
      }),
    ).toBe('p95 of task_metrics.timer_run_ms by workflow_id');
    expect(thresholdText({ op: 'outside', value: 1, upper: 3 })).toBe('outside 1 and 3');
    expect(thresholdText({ op: 'gt', value: 0.2 })).toBe('above 0.2');
  });
  it('read matchers as they are written', () => {
    const matchers = [
      { name: 'alertname', op: '=' as const, value: 'Worker down' },
      { name: 'worker_id', op: '=~' as const, value: 'w1.*' },
    ];
    expect(matchersIn(matchers.map(matcherText).join('\n'))).toEqual(matchers);
    expect(matchersIn('a = b\n\nc!~d')).toEqual([
      { name: 'a', op: '=', value: 'b' },
      { name: 'c', op: '!~', value: 'd' },
    ]);
    expect(matchersIn('nonsense')).toBeNull();
  });
  it('read spans as they are written', () => {
    for (const seconds of [0, 1, 90, 60, 3600, 7200, 86_400, 0.5])
      expect(secondsIn(durationText(seconds))).toBe(seconds);
    expect(secondsIn('5')).toBe(5);
    expect(secondsIn('soon')).toBeNull();
  });
});
