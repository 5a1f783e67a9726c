import { expect, it } from 'vitest';
import { matcherIn, secondsIn } from './alerts.ts';

it.each([
  ['alertname=Worker down', { name: 'alertname', op: '=', value: 'Worker down' }],
  ['worker_id=~w1.*', { name: 'worker_id', op: '=~', value: 'w1.*' }],
  ['env!=dev', { name: 'env', op: '!=', value: 'dev' }],
  ['env!~"dev|staging"', { name: 'env', op: '!~', value: 'dev|staging' }],
  ['empty=', { name: 'empty', op: '=', value: '' }],
])('reads the matcher %s', (text, matcher) => expect(matcherIn(text)).toEqual(matcher));

it.each(['', 'name', '=x', '1a=x', 'a b=c'])('refuses the matcher "%s"', (text) => expect(() => matcherIn(text)).toThrowError(/a matcher is/));

it.each([['90s', 90], ['2h', 7200], ['7d', 604_800]])('reads %s', (text, seconds) => expect(secondsIn(text)).toBe(seconds));
it.each(['', '5', 'h', '1.5h', '-1h'])('refuses the duration "%s"', (text) => expect(() => secondsIn(text)).toThrowError(/a duration is/));
