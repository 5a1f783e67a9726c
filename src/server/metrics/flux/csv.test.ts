import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../lib/code-point.fixture.ts';
import { encodeError, encodeResult, DEFAULT_DIALECT, type Dialect } from './csv.ts';
import { TextPage } from './text-page.ts';
import { decimal } from './values/decimal.ts';
import { ALL, csv, NOW, readCsv, type TestSeries } from './run.fixture.ts';
import { constant, dense, msColumn, type Cell, type Column, type ColumnType, type Table } from './values/table.ts';
import { formatTime, parseTime } from './values/time.ts';

const s: TestSeries[] = [
  {
    measurement: 'm',
    field: 'f',
    tags: { host: 'a' },
    points: [
      [NOW - 2000, 8],
      [NOW - 1500, 0.1],
    ],
  },
  { measurement: 'm', field: 'f', tags: { host: 'b' }, points: [[NOW - 1000, 1e21]] },
  { measurement: 'm', field: 's', type: 'string', points: [[NOW - 1000, 'say "hi", you']] },
];

function encoded(name: string, tables: readonly Table[], dialect: Dialect): string {
  const page = new TextPage();
  const decoder = new TextDecoder();
  let text = '';
  for (const _full of encodeResult(name, tables, dialect, page)) text += decoder.decode(page.take(), { stream: true });
  return text + decoder.decode(page.take());
}

const READ = 'from(bucket: "metrics") |> range(start: -3s)';
const S = '2025-01-01T11:59:57Z,2025-01-01T12:00:00Z';

describe('annotated CSV', () => {
  it('is this, to the byte', () => {
    expect(csv(READ, s, { annotations: ALL })).toBe(
      [
        '#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string,string',
        '#group,false,false,true,true,false,false,true,true,true',
        '#default,_result,,,,,,,,',
        ',result,table,_start,_stop,_time,_value,_field,_measurement,host',
        `,,0,${S},2025-01-01T11:59:58Z,8,f,m,a`,
        `,,0,${S},2025-01-01T11:59:58.5Z,0.1,f,m,a`,
        `,,1,${S},2025-01-01T11:59:59Z,1000000000000000000000,f,m,b`,
        '',
        '#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,string,string,string',
        '#group,false,false,true,true,false,false,true,true',
        '#default,_result,,,,,,,',
        ',result,table,_start,_stop,_time,_value,_field,_measurement',
        `,,2,${S},2025-01-01T11:59:59Z,"say ""hi"", you",s,m`,
        '',
        '',
      ].join('\r\n'),
    );
  });

  it('has no annotations by default, and the result in every row', () => {
    expect(csv(`${READ} |> filter(fn: (r) => r.host == "b") |> keep(columns: ["_value"])`, s)).toBe(
      ',result,table,_value\r\n,_result,0,1000000000000000000000\r\n\r\n',
    );
  });

  it('does without a header, and with another delimiter', () => {
    expect(
      csv(`${READ} |> filter(fn: (r) => r.host == "b") |> keep(columns: ["_value"])`, s, {
        header: false,
        delimiter: ';',
        annotations: ['datatype'],
        commentPrefix: '!',
      }),
    ).toBe('!datatype;string;long;double\r\n;_result;0;1000000000000000000000\r\n\r\n');
  });

  it('is a line end where there is nothing', () => {
    expect(csv(`${READ} |> filter(fn: (r) => r.host == "none")`, s, { annotations: ALL })).toBe('\r\n');
  });

  it('follows one result with the next', () => {
    expect(
      csv(
        `x = ${READ} |> filter(fn: (r) => r.host == "b") |> keep(columns: ["_value"])\nx |> yield(name: "a")\nx |> yield(name: "b")`,
        s,
      ),
    ).toBe(
      ',result,table,_value\r\n,a,0,1000000000000000000000\r\n\r\n,result,table,_value\r\n,b,0,1000000000000000000000\r\n\r\n',
    );
  });

  it('tells of an empty table in its defaults', () => {
    const table: Table = {
      key: new Set(['host']),
      rows: 0,
      columns: [constant('host', 'string', 'a'), dense('_value', 'float', [])],
    };
    expect(encoded('r', [table], { ...DEFAULT_DIALECT, annotations: ALL })).toBe(
      '#datatype,string,long,string,double\r\n#group,false,false,true,false\r\n#default,r,0,a,\r\n,result,table,host,_value\r\n\r\n',
    );
  });

  it('ends with a table of the error where something has been sent', () => {
    const many: TestSeries = {
      measurement: 'm',
      field: 'f',
      points: Array.from({ length: 5000 }, (_, i) => [NOW - 50_000 + i, i] as const),
    };
    const answer = csv(
      `from(bucket: "metrics") |> range(start: -1m) |> window(every: 1s) |> map(fn: (r) => ({r with _value: if r._value > 4000.0 then die(msg: "too, much") else r._value}))`,
      [many],
      { annotations: ['datatype'] },
    );
    expect(answer).toMatch(/\r\n\r\n#datatype,string,string\r\n,error,reference\r\n,"runtime error.*too, much",\r\n$/s);
  });

  it('of an error alone', () => {
    expect(encodeError('no', { ...DEFAULT_DIALECT, annotations: ['datatype'] })).toBe(
      '\r\n#datatype,string,string\r\n,error,reference\r\n,no,\r\n',
    );
  });
});

const TYPES: readonly ColumnType[] = ['string', 'int', 'uint', 'float', 'bool', 'time'];
const cellOf = (type: ColumnType): fc.Arbitrary<Cell> =>
  fc.option(
    {
      string: fc.string({ unit: codePoint }).filter((text) => text !== ''),
      int: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      uint: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      float: fc.double(),
      bool: fc.boolean(),
      time: fc.bigInt({ min: parseTime('1700-01-01') as bigint, max: parseTime('2200-01-01') as bigint }),
    }[type] as fc.Arbitrary<Cell>,
  );
const back = (type: ColumnType, text: string): Cell => {
  if (text === '') return null;
  if (type === 'int' || type === 'uint') return BigInt(text);
  if (type === 'float') return Number(text.replace('Inf', 'Infinity'));
  return type === 'bool' ? text === 'true' : type === 'time' ? parseTime(text) : text;
};
const tableOf = fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 5 }).chain((types) =>
  fc.array(fc.tuple(...types.map(cellOf)), { minLength: 1, maxLength: 8 }).map((rows): Table => ({
    key: new Set(),
    rows: rows.length,
    columns: types.map((type, i): Column =>
      dense(
        `c${i}`,
        type,
        rows.map((row) => row[i] as Cell),
      ),
    ),
  })),
);

describe('whatever the cells are', () => {
  it('reads back as it was written', () => {
    fc.assert(
      fc.property(fc.array(tableOf, { maxLength: 4 }), fc.constantFrom(',', ';', '\t'), (tables, delimiter) => {
        const text = encoded('_result', tables, { ...DEFAULT_DIALECT, delimiter, annotations: ALL });
        let types: string[] = [];
        const found: Cell[][] = [];
        for (const cells of readCsv(text, delimiter)) {
          if (cells[0] === '#datatype') types = cells.slice(3);
          else if (cells[0] === '' && cells[1] === '')
            found.push(
              cells.slice(3).map((cell, i) =>
                back(
                  (
                    {
                      string: 'string',
                      long: 'int',
                      unsignedLong: 'uint',
                      double: 'float',
                      boolean: 'bool',
                      'dateTime:RFC3339': 'time',
                    } as const
                  )[types[i] as 'string'],
                  cell,
                ),
              ),
            );
        }
        expect(found).toEqual(
          tables.flatMap((table) =>
            Array.from({ length: table.rows }, (_, row) => table.columns.map(({ data }) => (data as Cell[])[row])),
          ),
        );
      }),
    );
  });

  it('is what comes of writing cell by cell, on however many pages', () => {
    const windows = fc.record({
      rows: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 2000 })),
      from: fc.integer({ min: 0, max: 2_000_000_000_000 }),
      everyMs: fc.constantFrom(1, 10, 60_000, 3_600_000, 86_399_999),
      first: fc.double({ noNaN: true }),
      step: fc.constantFrom(0, 0.01, 1 / 3, 1e9),
      host: fc.string({ unit: codePoint }),
    });
    fc.assert(
      fc.property(fc.array(windows, { minLength: 1, maxLength: 5 }), (series) => {
        const tables = series.map(({ rows, from, everyMs, first, step, host }): Table => {
          const values = Float64Array.from({ length: rows }, (_, i) => first + i * step);
          const ms = Float64Array.from({ length: rows }, (_, i) => from + i * everyMs);
          return {
            key: new Set(['host']),
            rows,
            columns: [constant('host', 'string', host), dense('_value', 'float', values), msColumn('_time', ms)],
          };
        });
        const rows = tables.flatMap(({ rows: many, columns: [host, value, time] }, number) =>
          Array.from({ length: many }, (_, i) => {
            const text = String(host?.value);
            const plain = !/["\r\n,]|^\s|^\\\.$/.test(text);
            return `,r,${number},${plain ? text : `"${text.replaceAll('"', '""')}"`},${decimal(value?.data?.[i] as number)},${formatTime(time?.data?.[i] as bigint)}\r\n`;
          }),
        );
        expect(encoded('r', tables, DEFAULT_DIALECT)).toBe(`,result,table,host,_value,_time\r\n${rows.join('')}\r\n`);
      }),
      { numRuns: 30 },
    );
  });

  it('floats are the shortest that read back, without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(decimal(value)).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Object.is(Number(decimal(value)), value)).toBe(true);
      }),
    );
    expect([8, 0.1, 1e-7, 1.5e22, -2e-9, Number.NaN, -Infinity].map(decimal)).toEqual([
      '8',
      '0.1',
      '0.0000001',
      '15000000000000000000000',
      '-0.000000002',
      'NaN',
      '-Inf',
    ]);
  });

  it('times are those that read back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (ns) => void expect(parseTime(formatTime(ns))).toBe(ns),
      ),
    );
  });
});
