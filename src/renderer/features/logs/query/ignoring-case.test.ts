import { expect, it } from 'vitest';
import { parseQuery } from '../../../../lib/logsql/parse.ts';
import { ignoringCase } from './ignoring-case.ts';

it.each([
  ['refund', 'i(refund)'],
  ['level:error', 'level:i(error)'],
  ['_msg:error', 'i(error)'],
  ['level:error AND "no article" NOT timeo*', 'level:i(error) AND i("no article") AND NOT i(timeo*)'],
  ['level:(error or warn) code:12 refund', '(level:i(error) OR level:i(warn)) AND code:12 AND i(refund)'],
  ['level:not error', 'NOT level:i(error)'],
  ['!(a:x or b:y)', 'NOT (a:i(x) OR b:i(y))'],
  ['level:error _time:5m | stats count()', 'level:i(error) AND _time:5m | stats count()'],
  ['_time:5m offset 1d error', '_time:5m offset 1d AND i(error)'],
  ['_time:2026-01-01T10:00:00Z error', '_time:2026-01-01T10:00:00Z AND i(error)'],
  ['code:range[500, inf) error', 'code:range["500", "inf") AND i(error)'],
  ['{app="a"} error', '{app="a"} AND i(error)'],
  ['level:in(error, warn) refund', 'level:in("error", "warn") AND i(refund)'],
  ['error # not this\nwarn', 'i(error) AND i(warn)'],
  ['error # a | in a comment\n| fields level', 'i(error) | fields level'],
  ['"a # in quotes"', 'i("a # in quotes")'],
  ['user:in(level:error | fields user) refund', 'user:in(level:"error" | fields user) AND i(refund)'],
  ['error | filter level:WARN', 'i(error) | filter level:WARN'],
  ['"odd field":a-b.c "and"', '"odd field":i(a-b.c) AND i("and")'],
])('%s becomes %s', (query, expected) => {
  expect(ignoringCase(query)).toBe(expected);
  expect(() => parseQuery(expected)).not.toThrow();
});

it.each([
  '',
  '*',
  '4711',
  'level:i(error)',
  'level:in(error, warn)',
  'level:="error"',
  'level:=error',
  'a:~"x.*"',
  'a:*text*',
  '* | filter level:error',
  '_time:5m',
  'level:',
  '(error',
])('leaves %s as it is', (query) => expect(ignoringCase(query)).toBeNull());
