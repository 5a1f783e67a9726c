import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCsvReader, CsvCutOff, FluxFailed } from './annotated-csv.ts';

/** All rows as records, however the text is cut into pieces. */
function read(text: string, cuts: readonly number[] = []) {
  const rows: { result: string; cells: Record<string, string>; types: Record<string, string>; grouped: string[] }[] =
    [];
  const reader = createCsvReader((result, { names, types, grouped }, cells) =>
    rows.push({
      result,
      cells: Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])),
      types: Object.fromEntries(names.map((name, i) => [name, types[i] ?? ''])),
      grouped: names.filter((_, i) => grouped[i]),
    }),
  );
  let from = 0;
  for (const to of [...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]) {
    reader.push(text.slice(from, to));
    from = to;
  }
  reader.end();
  return rows;
}

const ANSWER = [
  '#datatype,string,long,dateTime:RFC3339,double,string',
  '#group,false,false,false,false,true',
  '#default,sum,,,,',
  ',result,table,_time,_value,node',
  ',,0,2026-01-01T00:00:00Z,1.5,"a, ""b""\r\nc"',
  ',,1,2026-01-01T00:01:00Z,,x',
  '',
  '#datatype,string,long,long',
  '#group,false,false,false',
  '#default,count,,',
  ',result,table,_value',
  ',,0,7',
  '',
  '',
].join('\r\n');

it('reads tables of several schemas with their annotations', () => {
  const rows = read(ANSWER);
  expect(rows.map(({ result, cells }) => [result, cells['_value'], cells['node']])).toEqual([
    ['sum', '1.5', 'a, "b"\r\nc'],
    ['sum', '', 'x'],
    ['count', '7', undefined],
  ]);
  expect(rows[0]).toMatchObject({ types: { _value: 'double', node: 'string' }, grouped: ['node'] });
});

it('reads the same however the answer is cut into pieces', () => {
  const whole = read(ANSWER);
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
      expect(read(ANSWER, cuts)).toEqual(whole);
    }),
  );
});

it('reads any cell back', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), fc.array(fc.nat()), (cells, cuts) => {
      const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
      const head = cells.map((_, i) => `c${i}`).join(',');
      const rows = read(`,result,table,${head}\r\n,_result,0,${quoted}\r\n\r\n`, cuts);
      expect(rows.map((row) => cells.map((_, i) => row.cells[`c${i}`]))).toEqual([cells]);
    }),
  );
});

it('throws where the program failed in the middle of its answer, and where the answer ends within a cell', () => {
  const failed =
    '\r\n#datatype,string,string\r\n#group,true,true\r\n#default,,\r\n,error,reference\r\n,out of memory,\r\n';
  expect(() => read(ANSWER + failed)).toThrow(new FluxFailed('out of memory'));
  expect(() => read(',result,table,_value\r\n,,0,"half')).toThrow(CsvCutOff);
});

it('gives a row up that does not end, instead of holding all that comes', () => {
  const reader = createCsvReader(() => {});
  const piece = 'x'.repeat(64 * 1024);
  reader.push(',result,table,_value\r\n,,0,');
  let pieces = 0;
  expect(() => {
    for (; pieces < 1000; pieces++) reader.push(piece);
  }).toThrow(CsvCutOff);
  expect(pieces).toBeLessThan(100);
});
