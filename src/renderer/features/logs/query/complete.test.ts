import { describe, expect, it } from 'vitest';
import { fieldAt, suggest } from './complete.ts';

describe('completion', () => {
  const seen = new Map([
    ['level', new Set(['NOTICE'])],
    ['shelf', new Set(['b 7'])],
    ['job_id', new Set(['j'])],
  ]);
  const labels = (query: string, caret = query.length) => suggest(query, caret, seen).map((one) => one.label);
  it('offers fields, also those that were seen', () => {
    expect(labels('sh')).toEqual(['shelf:']);
    expect(labels('')).toContain('level:');
  });
  it('offers values of the field before the colon, quoted where they must be', () => {
    expect(labels('level:').slice(0, 7)).toEqual(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'NOTICE']);
    expect(labels('level:w')).toEqual(['WARN']);
    expect(suggest('shelf:', 6, seen)[0]).toMatchObject({ insert: '"b 7" ', from: 6, to: 6 });
  });
  it('knows which field the caret is in', () => {
    expect(fieldAt('busy level:ER', 13)).toEqual({ field: 'level', typed: 'ER' });
    expect(fieldAt('level:', 6)).toEqual({ field: 'level', typed: '' });
    expect(fieldAt('level:ERROR ', 12)).toBeNull();
    expect(fieldAt('"odd field":"a b', 16)).toEqual({ field: 'odd field', typed: 'a b' });
  });
  it('offers pipes, functions and bare fields behind a bar', () => {
    expect(labels('level:WARN | st')).toContain('stats');
    expect(suggest('a | stats by (sh', 16, seen)[0]).toMatchObject({ label: 'shelf', insert: 'shelf' });
    expect(suggest('a | filter sh', 13, seen)[0]).toMatchObject({ insert: 'shelf:' });
  });
  it('offers operators after a filter', () => {
    expect(labels('level:WARN ').slice(0, 3)).toEqual(['AND', 'OR', 'NOT']);
    expect(labels('level:WARN an')).toEqual(['AND']);
  });
});
