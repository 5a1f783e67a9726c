import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteForShell } from '../../../../lib/shell-quote.ts';
import { logCommands } from './log-commands.ts';
import { columnsIn, columnsText, MAX_COLUMNS, parseLogsSearch } from '../logs-search.ts';

describe('the address of a view', () => {
  it('gives columns back, whatever their names', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, unit: fc.constantFrom('a', ',', '%', '2', 'C', '5', ' ') }), {
          maxLength: MAX_COLUMNS,
        }),
        (names) => void expect(columnsIn(columnsText(names))).toEqual(names),
      ),
    );
  });
  it('takes what it knows and leaves out what it does not', () => {
    expect(
      parseLogsSearch({
        query: 'a',
        colour: 'task_id',
        columns: 'n,m',
        live: 'yes',
        range: 'ages',
        source: 's',
        other: 1,
      }),
    ).toEqual({ query: 'a', colour: 'task_id', columns: 'n,m', source: 's' });
  });
});

describe('the view as a command', () => {
  it('survives a shell, whatever was searched for', () => {
    expect(['plain', 'a b', `it's $HOME`, '*', ''].map(quoteForShell)).toEqual([
      'plain',
      `'a b'`,
      `'it'\\''s $HOME'`,
      `'*'`,
      `''`,
    ]);
  });
  it('says the same as the page', () => {
    expect(
      logCommands(
        { query: 'level:ERROR "no stock"', job_id: 'j', from: '2026-01-01T00:00:00.000Z' },
        false,
        'http://h',
      ),
    ).toEqual({
      cli: `yardmaster logs search --job j --from 2026-01-01T00:00:00.000Z 'level:ERROR "no stock"'`,
      curl: 'curl -N -H "authorization: Bearer $YARDMASTER_TOKEN" \'http://h/api/v1/logs/search?query=level%3AERROR+%22no+stock%22&job_id=j&from=2026-01-01T00%3A00%3A00.000Z\'',
    });
    expect(logCommands({ query: '-calm' }, false, 'http://h').cli).toBe('yardmaster logs search -- -calm');
    expect(logCommands({ from: '2026-01-01T00:00:00.000Z' }, true, 'http://h').cli).toBe('yardmaster logs tail');
  });
});
