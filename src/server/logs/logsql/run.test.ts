import { describe, expect, it } from 'vitest';
import { blockOf, runOptions, sourceOf, type TestRow } from './blocks.fixture.ts';
import { readQuery } from './parse.ts';
import { runQuery } from './run.ts';

/** What users of VictoriaLogs get wrong, and what clones of it get wrong; each was seen on a real server. */
const NOW = Date.UTC(2025, 2, 12, 12);
const run = (query: string, rows: readonly Partial<TestRow>[]): Record<string, string>[] => {
  const full = rows.map((row) => ({ _time: '2025-03-12T11:59:00Z', ...row }) as TestRow);
  const forms = [new Set<string>(), new Set(Object.keys(Object.assign({}, ...full)))].map((text) => {
    const pages = runQuery(readQuery(query), sourceOf([blockOf(1, full, text)]), runOptions(NOW));
    return [...pages].flatMap((page) =>
      page === null
        ? []
        : Buffer.from(page)
            .toString()
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Record<string, string>),
    );
  });
  expect(forms[0]).toEqual(forms[1]);
  return forms[0] as Record<string, string>[];
};
/** Whether a row with these fields passes. */
const passes = (query: string, row: Record<string, string>) => run(query, [{ id: '1', ...row }]).length === 1;
const at = (query: string, time: string) => passes(query, { _time: time });

describe('words and values', () => {
  it.each([
    ['job_id:job-1', { job_id: 'job-1-2' }, true],
    ['job_id:=job-1', { job_id: 'job-1-2' }, false],
    ['job_id:=job-1', { job_id: 'job-1' }, true],
    ['worker_id:w-0', { worker_id: 'w-01' }, false],
    ['worker_id:w-0*', { worker_id: 'w-01' }, true],
    ['error', { _msg: 'an error.' }, true],
    ['error', { _msg: 'errors' }, false],
    ['"error:"', { _msg: 'error here' }, false],
    ['"error:"', { _msg: 'error:here' }, true],
    ['"error "', { _msg: 'an error' }, false],
    ['"foo b"*', { _msg: 'a foo bar' }, true],
    ['"foo b"*', { _msg: 'afoo bar' }, false],
    ['日本', { _msg: '日本語' }, false],
    ['日本語', { _msg: '-日本語。' }, true],
    ['größe', { _msg: 'die größe!' }, true],
    ['gr', { _msg: 'größe' }, false],
    ['*rö*', { _msg: 'größe' }, true],
    ['x:*"a b"*', { x: 'ca bd' }, true],
    ['Error', { _msg: 'error' }, false],
    ['path:/foo/bar', { path: 'x/foo/bar?a' }, true],
    ['path:/foo/b*', { path: 'x/foo/bar?a' }, true],
    ['url:http://foo', { url: 'see http://foo/bar' }, true],
    ['"\\xd1\\x82"', { _msg: 'а т б' }, true],
    ['x:i(*)', { x: 'A' }, true],
    ['x:i(*)', { y: 'A' }, false],
    ['x:=*', { y: 'A' }, true],
    ['and*', { _msg: 'some android' }, true],
    ['x:(a OR y:b)', { y: 'b' }, true],
    ['took:range(1s, 5m)', { took: '90s' }, true],
    ['took:range(1s, 5m)', { took: '5m' }, false],
    ['took:range(1s, 5m]', { took: '300s' }, true],
    ['took:>5s', { took: '5001ms' }, true],
    ['took:>5s', { took: '4s' }, false],
    [`_stream_id:${'0a'.repeat(24)}`, { _stream_id: '0a'.repeat(24) }, true],
    [`_stream_id:in(${'0a'.repeat(24)}, ${'0b'.repeat(24)})`, { _stream_id: '0b'.repeat(24) }, true],
    [`_stream_id:${'0a'.repeat(24)}`, { _stream_id: '0b'.repeat(24) }, false],
    ['i(ERROR)', { _msg: 'an error' }, true],
    ['i("STRASSE")', { _msg: 'Straße' }, false],
    ['i("err"*)', { _msg: 'ERRORS' }, true],
    ['seq("b", "a")', { _msg: 'a b' }, false],
    ['seq("a", "b")', { _msg: 'a c b' }, true],
    ['x:contains_all(b, a)', { x: 'a b c' }, true],
    ['x:contains_any(z, c)', { x: 'a b c' }, true],
    ['status:=1', { status: '1.0' }, false],
    ['x:="a"*', { x: 'ab' }, true],
    ['x:!="a"', { x: 'ab' }, true],
    ['x:!=a', {}, true],
    ['x:!~"b"', { x: 'ab' }, false],
  ] as const)('%s on %j: %s', (query, row, expected) => expect(passes(query, row)).toBe(expected));

  it('binds not over and over or', () => {
    const rows = [{ _msg: 'error' }, { _msg: 'error a' }, { _msg: 'b a' }];
    expect(
      run('error -a OR b', rows)
        .map(({ _msg }) => _msg)
        .toSorted(),
    ).toEqual(['b a', 'error']);
  });
});

describe('missing values', () => {
  it.each([
    ['f:""', {}, true],
    ['f:""', { f: 'x' }, false],
    ['f:*', {}, false],
    ['f:*', { f: 'x' }, true],
    ['f:~".*"', {}, true],
    ['f:~""', {}, true],
    ['f:seq()', {}, true],
    ['f:contains_all()', {}, true],
    ['f:in(*)', {}, true],
    ['f:in()', { f: 'x' }, false],
    ['f:contains_any()', { f: 'x' }, false],
    ['f:in("")', {}, true],
    ['f:in("")', { f: 'x' }, false],
    ['f:<"b"', {}, true],
    ['f:<5', {}, false],
    ['f:eq_field(g)', {}, true],
    ['f:eq_field(g)', { f: 'x' }, false],
  ] as const)('%s on %j: %s', (query, row, expected) => expect(passes(query, row)).toBe(expected));
});

describe('regular expressions', () => {
  it.each([
    ['x:~"b"', { x: 'abc' }, true],
    ['x:~"^b"', { x: 'abc' }, false],
    ['x:~"a.c"', { x: 'a\nc' }, true],
    ['x:~"a\\\\.c"', { x: 'a.c' }, true],
    ['x:~"a\\\\.c"', { x: 'abc' }, false],
    ['x:~`a\\.c`', { x: 'abc' }, false],
    ['x:~"(?i)ERR"', { x: 'an err' }, true],
    ['x:~"[[:alpha:]]{2}"', { x: '1ab' }, true],
    ['x:re("^a+$")', { x: 'aaa' }, true],
    ['{app=~"b"}', { _stream: '{app="abc"}' }, false],
    ['{app=~"a.c"}', { _stream: '{app="abc"}' }, true],
    ['{app="abc"}', { app: 'abc' }, false],
    ['{app=""}', { _stream: '{host="x"}' }, true],
    ['{app!="x"}', { _stream: '{host="x"}' }, true],
    ['{app="a",host="b" or app in ("c","d")}', { _stream: '{app="d",host="x"}' }, true],
    ['_stream:{app="a\\"b"}', { _stream: '{app="a\\"b"}' }, true],
  ] as const)('%s on %j: %s', (query, row, expected) => expect(passes(query, row)).toBe(expected));

  it('are refused with their place when they are wrong', () => {
    expect(() => readQuery('a x:~"(b"')).toThrow(
      expect.objectContaining({ code: 'QUERY_INVALID', extra: { position: 5 } }),
    );
    expect(() => readQuery('{a=~"["}')).toThrow(
      expect.objectContaining({ code: 'QUERY_INVALID', extra: { position: 4 } }),
    );
    expect(() => readQuery('x:~"(?=a)"')).toThrow(expect.objectContaining({ code: 'QUERY_INVALID' }));
  });
});

describe('numbers', () => {
  it.each([
    ['n:>1s', { n: '1500ms' }, true],
    ['n:>1s', { n: '1m' }, true],
    ['n:>1s', { n: '2000000000' }, true],
    ['n:>=1KB', { n: '1000' }, true],
    ['n:>1KB', { n: '1KiB' }, true],
    ['n:<1_000', { n: '999' }, true],
    ['n:>0x0f', { n: '16' }, true],
    ['n:>1e3', { n: '1001' }, true],
    ['n:>10.0.0.1', { n: '10.0.0.2' }, true],
    ['n:>5', { n: 'many' }, false],
    ['n:range(1, 5)', { n: '5' }, false],
    ['n:range(1, 5]', { n: '5' }, true],
    ['n:range[1, 5)', { n: '1' }, true],
    ['n:range(0, inf)', { n: 'x' }, false],
    ['n:>9007199254740992', { n: '9007199254740993' }, true],
    ['n:<9007199254740993', { n: '9007199254740992' }, true],
    ['n:lt_field(m)', { n: '9', m: '10' }, true],
    ['n:le_field(m)', { n: '10', m: '10' }, true],
    ['n:string_range(b, c)', { n: 'b' }, true],
    ['n:string_range(b, c)', { n: 'c' }, false],
    ['n:len_range(2, 2)', { n: '😀é' }, true],
    ['n:ipv4_range(10.0.0.0/8)', { n: '10.255.0.1' }, true],
    ['n:ipv4_range(10.0.0.0/8)', { n: '11.0.0.1' }, false],
    ['n:ipv4_range(1.2.3.4, 1.2.3.9)', { n: '1.2.3.9' }, true],
    ['n:ipv4_range(1.2.3.4)', { n: '1.2.3.5' }, false],
  ] as const)('%s on %j: %s', (query, row, expected) => expect(passes(query, row)).toBe(expected));
});

describe('times', () => {
  it.each([
    ['_time:2025-03Z', '2025-03-31T23:59:59.999999999Z', true],
    ['_time:2025-03Z', '2025-04-01T00:00:00Z', false],
    ['_time:[2025-02Z,2025-03Z]', '2025-03-31T23:59:59Z', true],
    ['_time:[2025-02Z,2025-03Z)', '2025-03-01T00:00:00Z', false],
    ['_time:>2025-03-11Z', '2025-03-11T00:00:00Z', false],
    ['_time:>2025-03-11Z', '2025-03-11T00:00:00.000000001Z', true],
    ['_time:<=2025-03-01Z', '2025-03-01T23:59:59Z', true],
    ['_time:<2025-03-01Z', '2025-03-01T00:00:00Z', false],
    ['_time:5m', '2025-03-12T11:55:00Z', true],
    ['_time:5m', '2025-03-12T11:54:59.999999999Z', false],
    ['_time:5m', '2025-03-12T12:00:00Z', false],
    ['_time:>1d', '2025-03-11T11:00:00Z', true],
    ['_time:>1d', '2025-03-12T11:00:00Z', false],
    ['_time:<1d', '2025-03-12T11:00:00Z', true],
    ['_time:5m offset 1h', '2025-03-12T10:57:00Z', true],
    ['_time:offset 1h', '2025-03-12T10:59:00Z', true],
    ['_time:offset 1h', '2025-03-12T11:01:00Z', false],
    ['_time:2025-03-12T11+01:00', '2025-03-12T10:30:00Z', true],
    ['_time:=2025-03-12T11:59:00.5Z', '2025-03-12T11:59:00.51Z', true],
    ['_time:1741780740', '2025-03-12T11:59:00.9Z', true],
    ['_time:week_range[Sat,Sun]', '2025-03-08T11:00:00Z', false],
    ['_time:week_range[Mon,Fri] offset 0s', '2025-03-12T11:00:00Z', true],
    ['_time:week_range(Wed,Fri] offset 0s', '2025-03-12T11:00:00Z', false],
    ['_time:day_range[08:00,12:00) offset 0s', '2025-03-12T11:59:00Z', true],
    ['_time:day_range[08:00,11:00) offset 0s', '2025-03-12T11:59:00Z', false],
    ['_time:day_range[08:00,11:59] offset 0s', '2025-03-12T11:59:00Z', true],
    ['_time:day_range[08:00,11:59] offset 0s', '2025-03-12T11:59:00.000000001Z', false],
    ['_time:day_range(11:59,12:00] offset 0s', '2025-03-12T11:59:00Z', false],
    ['_time:day_range(11:59,12:00] offset 0s', '2025-03-12T11:59:00.000000001Z', true],
    ['_time:day_range[08:00,11:59) offset 0s', '2025-03-12T11:58:59.999999999Z', true],
    ['_time:day_range[08:00,11:59) offset 0s', '2025-03-12T11:59:00Z', false],
    ['_time:day_range[11:00,24:00] offset 0s', '2025-03-12T11:59:00Z', true],
    ['_time:[now-2m,now]', '2025-03-12T11:59:00Z', true],
  ] as const)('%s on %s: %s', (query, time, expected) => expect(at(query, time)).toBe(expected));
});

describe('subqueries', () => {
  const rows = [
    { _msg: 'failed', job: 'a' },
    { _msg: 'begun', job: 'a' },
    { _msg: 'begun', job: 'b' },
  ];
  it('give the values of in(…)', () => {
    expect(run('begun job:in(failed | fields job)', rows)).toMatchObject([{ job: 'a' }]);
    expect(run('begun job:in(failed | uniq by (job))', rows)).toMatchObject([{ job: 'a' }]);
    expect(run('begun job:in(nothing | fields job)', rows)).toEqual([]);
  });
  it('must end in one field', () => expect(() => readQuery('a:in(b | limit 3)')).toThrow(/fields x/));
});

describe('pipes', () => {
  const rows = [
    { _msg: 'm1', a: 'v1.10.0', n: '10', k: 'x' },
    { _msg: 'm2', a: 'v1.9.0', n: '9', k: 'y' },
    { _msg: 'm3', n: '2.5', k: 'x' },
  ];
  it.each([
    ['* | sort by (a) | fields a, _msg', '[{"_msg":"m3"},{"a":"v1.9.0","_msg":"m2"},{"a":"v1.10.0","_msg":"m1"}]'],
    ['* | sort by (n) | fields n', '[{"n":"2.5"},{"n":"9"},{"n":"10"}]'],
    ['* | sort by (n desc) offset 1 limit 1 | fields n', '[{"n":"9"}]'],
    ['* | sort by (k, n desc) rank as r | fields r, n', '[{"r":"1","n":"10"},{"r":"2","n":"2.5"},{"r":"3","n":"9"}]'],
    ['* | sort by (n) partition by (k) limit 1 | fields n', '[{"n":"2.5"},{"n":"9"}]'],
    ['* | first by (n) | fields n', '[{"n":"2.5"}]'],
    ['* | last 2 by (n) | fields n', '[{"n":"10"},{"n":"9"}]'],
    ['m1 | rename a as n | fields *', '[{"_msg":"m1","_time":"2025-03-12T11:59:00Z","k":"x","n":"v1.10.0"}]'],
    ['m1 | rename gone as n | fields a, n', '[{"a":"v1.10.0"}]'],
    ['m1 | copy n as c | fields n, c', '[{"n":"10","c":"10"}]'],
    ['m1 | rename a* as b* | fields a, b, n', '[{"b":"v1.10.0","n":"10"}]'],
    [
      'm1 | rename _* as x.*, a as y* | fields x.*, y*',
      '[{"x.msg":"m1","x.time":"2025-03-12T11:59:00Z","y*":"v1.10.0"}]',
    ],
    ['m1 | mv * as * | fields a, n', '[{"a":"v1.10.0","n":"10"}]'],
    ['m1 | rename zz* as a | fields a', '[{"a":"v1.10.0"}]'],
    ['m1 | fields k, n | copy * as c_*', '[{"k":"x","n":"10","c_k":"x","c_n":"10"}]'],
    ['m1 | fields k, n | rename * as all', '[{"all":"10"}]'],
    ['* | sample 1 | fields n | sort by (n)', '[{"n":"2.5"},{"n":"9"},{"n":"10"}]'],
    ['* | fields a | drop_empty_fields | stats count() c', '[{"c":"2"}]'],
    ['m2 | pack_logfmt fields (a, n, gone) as o | fields o', '[{"o":"a=v1.9.0 n=9"}]'],
    [
      'm2 | format "x \\"y\\"" as q | fields q, n | pack_logfmt o | fields o',
      '[{"o":"n=9 q=\\"x \\\\\\"y\\\\\\"\\""}]',
    ],
    ['n:>9 | fields k, n | facets', '[]'],
    ['n:>9 | fields k | facets keep_const_fields', '[{"field_name":"k","field_value":"x","hits":"1"}]'],
    ['m1 | delete _*, a', '[{"k":"x","n":"10"}]'],
    ['* | uniq by (k) with hits | sort by (k)', '[{"hits":"2","k":"x"},{"hits":"1","k":"y"}]'],
    ['* | top 1 by (k)', '[{"k":"x","hits":"2"}]'],
    ['* | where n:>9 | fields n', '[{"n":"10"}]'],
    ['* | k:y | fields n', '[{"n":"9"}]'],
    ['* | count()', '[{"count(*)":"3"}]'],
    [
      '* | count(a) c, count_empty(a) e, sum(n) s, sum(k) t, min(a) x, max(a) y, avg(n) v',
      '[{"c":"2","e":"1","s":"21.5","t":"NaN","y":"v1.10.0","v":"7.166666666666667"}]',
    ],
    [
      '* | stats uniq_values(k) u, count_uniq(k) c, quantile(0.5, n) q, median(n) m, sum_len(_msg) l, row_max(n, k) r',
      '[{"u":"[\\"x\\",\\"y\\"]","c":"2","q":"9","m":"9","l":"6","r":"{\\"k\\":\\"x\\"}"}]',
    ],
    ['* | stats by (k) count() if (n:>5) c | sort by (k)', '[{"c":"1","k":"x"},{"c":"1","k":"y"}]'],
    ['none | stats count() c', '[{"c":"0"}]'],
    ['none | stats by (k) count() c', '[]'],
    ['* | stats by (_time:1w) count() c', '[{"_time":"2025-03-06T00:00:00Z","c":"3"}]'],
    ['* | stats by (_time:week) count() c', '[{"_time":"2025-03-10T00:00:00Z","c":"3"}]'],
    ['* | stats by (_time:month) count() c', '[{"_time":"2025-03-01T00:00:00Z","c":"3"}]'],
    ['* | stats by (n:5) count() c | sort by (n)', '[{"c":"1","n":"0"},{"c":"1","n":"5"},{"c":"1","n":"10"}]'],
    ['_time:1h | stats rate() r', '[{"r":"0.0008333333333333334"}]'],
    ['* | field_values k', '[{"k":"x","hits":"2"},{"k":"y","hits":"1"}]'],
    ['* | field_names | limit 2', '[{"name":"_msg","hits":"3"},{"name":"_time","hits":"3"}]'],
    [
      '* | facets | field_name:k',
      '[{"field_name":"k","field_value":"x","hits":"2"},{"field_name":"k","field_value":"y","hits":"1"}]',
    ],
  ])('%s', (query, expected) => expect(JSON.stringify(run(query, rows))).toBe(expected));
});

it('sample takes about one row of so many', () => {
  const rows = Array.from({ length: 5000 }, (_, i) => ({ i: String(i) }));
  const pages = runQuery(
    readQuery('* | sample 10 | stats count() c, count_uniq(i) u'),
    sourceOf([
      blockOf(
        1,
        rows.map((row) => ({ _time: '2025-03-12T11:59:00Z', ...row })),
      ),
    ]),
    runOptions(NOW),
  );
  const [{ c, u }] = [...pages].flatMap((page) =>
    page === null ? [] : [JSON.parse(Buffer.from(page).toString())],
  ) as [{ c: string; u: string }];
  expect(u).toBe(c);
  // Ten times its deviation away from 500.
  expect(Math.abs(Number(c) - 500)).toBeLessThan(230);
});

describe('pipes that make fields of texts', () => {
  const rows = [
    {
      _msg: 'GET /a?b=1 took 1.5s by "Ann Lee"',
      j: '{"a":1.0,"b":{"c":12345678901234567890,"d":[1, "x"]},"e":null,"f":""}',
      l: 'k=v q="a b" x',
      n: '7',
      list: '["p","q",3]',
    },
  ];
  it.each([
    ['* | extract "took <t> by <who>" | fields t, who', '[{"t":"1.5s","who":"Ann Lee"}]'],
    ['* | extract "by <plain:who>" | fields who', '[{"who":"\\"Ann Lee\\""}]'],
    ['* | extract "GET <_>?b=<b> " | fields b', '[{"b":"1"}]'],
    ['* | extract "POST <p> " | fields p', '[]'],
    ['* | extract if (n:8) "took <t> " | fields t', '[]'],
    ['* | extract "took <n> " keep_original_fields | fields n', '[{"n":"7"}]'],
    ['* | extract_regexp "(?P<verb>[A-Z]+) /(?P<path>\\\\w+)" | fields verb, path', '[{"verb":"GET","path":"a"}]'],
    [
      '* | unpack_json from j | fields a, b.c, b.d, e, f',
      '[{"a":"1.0","b.c":"12345678901234567890","b.d":"[1,\\"x\\"]"}]',
    ],
    ['* | unpack_json from j fields (a) result_prefix "x_" | fields a, x_a, b.c', '[{"x_a":"1.0"}]'],
    ['* | unpack_json | fields a', '[]'],
    ['* | unpack_logfmt from l | fields k, q, x', '[{"k":"v","q":"a b"}]'],
    ['* | format "<n>-<q:l>-<uc:gone>" as o | fields o', '[{"o":"7-\\"k=v q=\\\\\\"a b\\\\\\" x\\"-"}]'],
    [
      '* | math n * 2 + 1 as a, a / 0 as b, gone + 1 as c, gone default 3 as d, round(n / 2) as e, -n ^ 2 as f, 10KB % 3 as g | fields a,b,c,d,e,f,g',
      '[{"a":"15","b":"+Inf","c":"NaN","d":"3","e":"4","f":"49","g":"1"}]',
    ],
    ['* | replace ("a", "z") at l limit 1 | fields l', '[{"l":"k=v q=\\"z b\\" x"}]'],
    ['* | replace_regexp ("(\\\\w)=(\\\\w)", "$2=${1}") at l | fields l', '[{"l":"v=k q=\\"a b\\" x"}]'],
    ['* | len(list) as s | fields s', '[{"s":"11"}]'],
    ['* | json_array_len(list) as s | json_array_len l as z | fields s, z', '[{"s":"3","z":"0"}]'],
    ['* | format "\\x1b[31mred\\x1b[0m \\x1b[1;32mgreen" as c | decolorize c | fields c', '[{"c":"red green"}]'],
    ['* | fields n | union (* | fields l)', '[{"n":"7"},{"l":"k=v q=\\"a b\\" x"}]'],
    ['n:0 | fields n | union (n:7 | fields n) | stats count() c', '[{"c":"1"}]'],
    ['* | unroll by (list) | fields list, n', '[{"list":"p","n":"7"},{"list":"q","n":"7"},{"list":"3","n":"7"}]'],
    [
      '* | pack_json fields (n, l*) as o | fields o',
      '[{"o":"{\\"l\\":\\"k=v q=\\\\\\"a b\\\\\\" x\\",\\"list\\":\\"[\\\\\\"p\\\\\\",\\\\\\"q\\\\\\",3]\\",\\"n\\":\\"7\\"}"}]',
    ],
  ])('%s', (query, expected) => expect(JSON.stringify(run(query, rows))).toBe(expected));

  it('join rows of another query', () => {
    const lines = [
      { job: 'a', who: 'ann' },
      { job: 'b', who: 'bob' },
      { job: 'c' },
      { id: 'a', cost: '5' },
      { id: 'a', cost: '7' },
      { id: 'b', cost: '9', who: 'carl' },
    ];
    const join = (pipe: string) =>
      run(`job:* | ${pipe} | fields job, who, cost, x_who, x_cost`, lines)
        .map((row) => Object.values(row).join(' '))
        .toSorted();
    const costs = '(id:* | rename id as job)';
    expect(join(`join by (job) ${costs}`)).toEqual(['a ann 5', 'a ann 7', 'b carl 9', 'c']);
    expect(join(`join by (job) ${costs} inner`)).toEqual(['a ann 5', 'a ann 7', 'b carl 9']);
    expect(join(`join by (job) ${costs} prefix "x_"`)).toEqual(['a ann 5', 'a ann 7', 'b bob carl 9', 'c']);
    expect(join('join by (job, who) (nothing | fields job, who)')).toEqual(['a ann', 'b bob', 'c']);
  });

  it('show the rows around a match in its stream', () => {
    const lines = Array.from({ length: 10 }, (_, i) => ({
      _time: `2025-03-12T11:00:0${i}Z`,
      _msg: `line ${i}`,
      _stream: i % 2 === 0 ? '{a="1"}' : '{a="2"}',
    }));
    expect(run('"line 4" | stream_context before 1 after 2 | fields _msg', lines).map(({ _msg }) => _msg)).toEqual([
      'line 2',
      'line 4',
      'line 6',
      'line 8',
    ]);
  });

  it('are stopped where they make too much', () => {
    const bomb = `* | ${Array.from({ length: 30 }, () => 'format "<_msg><_msg>" as _msg').join(' | ')} | len(_msg) as n`;
    expect(() => run(bomb, rows)).toThrow(expect.objectContaining({ code: 'QUERY_TOO_LARGE' }));
  });
});
