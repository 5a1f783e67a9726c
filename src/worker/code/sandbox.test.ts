import { describe, expect, it } from 'vitest';
import { TaskExecutionError } from '../task-execution-error.ts';
import { createSandbox } from './sandbox.ts';
import type { CodeLogLine } from '../isolation/protocol.ts';

const sandbox = createSandbox();

async function run(
  source: string,
  input: unknown = {},
  more: { memoryBytes?: number; timeoutMs?: number; logLines?: number } = {},
): Promise<{ value: unknown; lines: CodeLogLine[] }> {
  const lines: CodeLogLine[] = [];
  const job = {
    kind: 'code' as const,
    source,
    input: JSON.stringify(input),
    attempt: 2,
    secrets: '{}',
    taskId: 't-1',
    memoryBytes: 16 * 1024 * 1024,
    outputBytes: 1e6,
    logLines: 100,
    timeoutMs: 10_000,
    ...more,
  };
  return { value: JSON.parse(await sandbox.run(job, (line) => lines.push(line))), lines };
}
async function failure(source: string, more: Parameters<typeof run>[2] = {}): Promise<TaskExecutionError['failure']> {
  try {
    await run(source, {}, more);
  } catch (error) {
    if (error instanceof TaskExecutionError) return error.failure;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('runs that wait for the same engine', () => {
  const MEMORY_BYTES = 16 * 1024 * 1024;
  const job = {
    kind: 'code' as const,
    source: 'return input.n + 1',
    input: '{"n":1}',
    attempt: 1,
    secrets: '{}',
    taskId: 't-1',
    memoryBytes: MEMORY_BYTES,
    outputBytes: 1e6,
    logLines: 100,
    timeoutMs: 10_000,
  };

  it('are taken while it is warmed up, and with other memory than it was warmed up with', async () => {
    const fresh = createSandbox();
    const all = [
      fresh.warm(MEMORY_BYTES),
      fresh.run(job, () => {}),
      fresh.run({ ...job, memoryBytes: 2 * MEMORY_BYTES }, () => {}),
    ];
    expect(await Promise.all(all)).toEqual([undefined, '2', '2']);
  });

  it('get another one where one of them broke it', async () => {
    const fresh = createSandbox();
    // Nothing gives back what this one took: a broken engine has too little left for another run.
    const breaking = `globalThis.taken = new ArrayBuffer(13e6);
      let nested = []; for (let i = 0; i < 1e5; i++) nested = [nested];
      return nested;`;
    const large = { ...job, source: 'return new ArrayBuffer(15e6).byteLength' };
    const results = await Promise.allSettled([
      fresh.run({ ...job, source: breaking }, () => {}),
      fresh.run(large, () => {}),
      fresh.run({ ...large, memoryBytes: 2 * MEMORY_BYTES }, () => {}),
      fresh.run(large, () => {}),
    ]);
    const value = '15000000';
    expect(results).toMatchObject([{ status: 'rejected' }, { value }, { value }, { value }]);
  });
});

describe('an error of the code', () => {
  it('names line, column and callers in the source of the node, and is not retried where it would come again', async () => {
    const source =
      'const net = (order) => order.price.net;\nfunction total(o) {\n  return net(o);\n}\nreturn total(input);';
    expect(await failure(source)).toEqual({
      code: 'TASK_ERROR',
      message: "TypeError: cannot read property 'net' of undefined",
      retryable: false,
      stack: [
        { line: 1, column: expect.any(Number), function: 'net' },
        { line: 3, column: expect.any(Number), function: 'total' },
        { line: 5, column: expect.any(Number), function: null },
      ],
    });
    expect(await failure('return 1 +\n  nothing;')).toMatchObject({ retryable: false, stack: [{ line: 2 }] });
    expect(await failure('return 1 +')).toMatchObject({ code: 'INVALID_DAG', stack: [{ line: 1, column: 11 }] });
  });

  it('is retried where the code threw it on purpose, and where it says so', async () => {
    expect(await failure('\nthrow new Error("busy")')).toEqual({
      code: 'TASK_ERROR',
      message: 'busy',
      retryable: true,
      stack: [{ line: 2, column: expect.any(Number), function: null }],
    });
    expect(await failure('const e = new TypeError("later"); e.retryable = true; throw e')).toMatchObject({
      retryable: true,
    });
    expect(await failure('throw "no"')).toEqual({ code: 'TASK_ERROR', message: 'no', retryable: true });
  });
});

describe('a body of an async function (input, ctx)', () => {
  it.each([
    ['return input.a + 1', { a: 1 }, 2],
    ['return', {}, null],
    ['', {}, null],
    ['return () => 1', {}, null],
    ['return [undefined, NaN]', {}, [null, null]],
    ['const wait = async () => 5; return await wait()', {}, 5],
    ['return Promise.all([1, Promise.resolve(2)])', {}, [1, 2]],
    ['return [ctx.attempt, ctx.taskId]', {}, [2, 't-1']],
    ['return "ü😀\\u2028"', {}, 'ü😀\u2028'],
    ['// the last line is a comment\nreturn 1 // so', {}, 1],
    ['return new Date(0).toISOString()', {}, '1970-01-01T00:00:00.000Z'],
  ])('%s', async (source, input, expected) => expect((await run(source, input)).value).toEqual(expected));

  it('logs lines with level, message and fields', async () => {
    const { lines } = await run(
      'ctx.log("warn", "low", {stock: 3}); ctx.log("info", {a: 1}); ctx.log("strange", "x", [1])',
    );
    expect(lines).toEqual([
      { level: 'WARN', message: 'low', fields: { stock: 3 } },
      { level: 'INFO', message: '{"a":1}', fields: {} },
      { level: 'INFO', message: 'x', fields: { fields: [1] } },
    ]);
  });

  it('logs what is written to the console, as a line each', async () => {
    const { lines, value } = await run(`
      console.log('order', 7, { sku: 'a' }, [1], null, undefined, new TypeError('no'));
      console.debug('d'); console.info('i'); console.warn('w'); console.error('e');
      console.log();
      const own = {}; own.own = own; console.log(own, Object.create(null), Symbol('s'), 10n, { get message() { throw 1 } });
      return typeof console.table;`);
    expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'INFO order 7 {"sku":"a"} [1] null undefined TypeError: no',
      'DEBUG d',
      'INFO i',
      'WARN w',
      'ERROR e',
      'INFO ',
      expect.stringContaining('INFO a value that is not valid JSON {}'),
    ]);
    expect(value).toBe('undefined');
  });

  it('leaves the name to code that has its own', async () => {
    expect((await run('const console = { log: (x) => x }; return console.log(5)')).value).toBe(5);
  });

  it('drops log lines beyond the limit and says so', async () => {
    const { lines } = await run('for (let i = 0; i < 1000; i++) ctx.log("info", String(i))', {}, { logLines: 5 });
    expect(lines).toHaveLength(6);
    expect(lines[5]).toMatchObject({ level: 'WARN', message: expect.stringContaining('more than 5 lines') });
  });
});

describe('what is thrown', () => {
  it.each([
    ['throw new Error("no stock")', { code: 'TASK_ERROR', message: 'no stock', retryable: true }],
    [
      'throw Object.assign(new Error("x"), {code: "NON_RETRYABLE"})',
      { code: 'NON_RETRYABLE', message: 'x', retryable: false },
    ],
    ['throw {code: "NON_RETRYABLE", message: "m"}', { code: 'NON_RETRYABLE', message: 'm', retryable: false }],
    [
      'throw Object.assign(new Error("x"), {retryable: false})',
      { code: 'NON_RETRYABLE', message: 'x', retryable: false },
    ],
    ['throw Object.assign(new Error("x"), {code: "SOLD_OUT"})', { code: 'SOLD_OUT', message: 'x', retryable: true }],
    [
      'throw Object.assign(new Error("x"), {code: "SOLD_OUT", retryable: false})',
      { code: 'SOLD_OUT', message: 'x', retryable: false },
    ],
    [
      'throw {code: "KILLED", message: "not yours to say"}',
      { code: 'TASK_ERROR', message: 'not yours to say', retryable: true },
    ],
    ['throw "text"', { code: 'TASK_ERROR', message: 'text', retryable: true }],
    ['throw null', { code: 'TASK_ERROR', message: 'null', retryable: true }],
    ['null.x', { code: 'TASK_ERROR', message: expect.stringContaining('TypeError'), retryable: false }],
    ['await Promise.reject(new Error("later"))', { code: 'TASK_ERROR', message: 'later', retryable: true }],
    [
      'throw {get message() { throw 1 }}',
      { code: 'TASK_ERROR', message: expect.stringContaining('cannot be read'), retryable: true },
    ],
    ['return 10n', { code: 'TASK_ERROR', message: expect.stringContaining('TypeError'), retryable: false }],
    [
      'const a = {}; a.a = a; return a',
      { code: 'TASK_ERROR', message: expect.stringContaining('TypeError'), retryable: false },
    ],
    ['return (', { code: 'INVALID_DAG', message: expect.stringContaining('has a syntax error'), retryable: false }],
  ])('%s', async (source, expected) => expect({ ...(await failure(source)), stack: undefined }).toEqual(expected));
});

describe('limits', () => {
  it('ends an endless loop, also one that catches everything', async () => {
    expect((await failure('for (;;);', { timeoutMs: 100 })).message).toBe('the code exceeded its time limit of 0.1 s');
    expect((await failure('for (;;) { try { for (;;); } catch {} }', { timeoutMs: 100 })).message).toBe(
      'the code exceeded its time limit of 0.1 s',
    );
    expect(
      (await failure('const again = () => Promise.resolve().then(again); await again()', { timeoutMs: 100 })).message,
    ).toBe('the code exceeded its time limit of 0.1 s');
    expect((await failure('/(a+)+$/.test("a".repeat(40) + "b")', { timeoutMs: 100 })).message).toBe(
      'the code exceeded its time limit of 0.1 s',
    );
  });

  it('ends code that needs too much memory', async () => {
    expect((await failure('const a = []; for (;;) a.push(new Array(1000).fill("x"))')).message).toMatch(
      /more than its 16 MiB of memory/,
    );
    expect((await failure('const a = []; for (;;) a.push("x".repeat(1000) + a.length)')).message).toMatch(
      /more than its 16 MiB of memory/,
    );
    expect((await run('return 1')).value).toBe(1);
  });

  it('turns a deep recursion into an error', async () => {
    expect((await failure('const f = () => f() + 1; f()')).message).toMatch(/stack/i);
    expect((await failure('let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a')).message).toMatch(/stack/i);
    expect((await run('return 1')).value).toBe(1);
  });

  it('ends what awaits for ever', async () => {
    expect((await failure('await new Promise(() => {})')).message).toMatch(/never settles/);
  });
});

describe('nothing of the host is in reach', () => {
  it('knows no globals but those of the language, and a console of its own', async () => {
    const { value } = await run('return Object.getOwnPropertyNames(globalThis)');
    for (const name of [
      'process',
      'require',
      'module',
      'Buffer',
      'fetch',
      'setTimeout',
      'WebAssembly',
      'std',
      'os',
      'performance',
      'log',
    ])
      expect(value).not.toContain(name);
  });

  it.each([
    'return typeof (() => {}).constructor("return this")().process',
    'return typeof ctx.log.constructor("return this")().process',
    'return typeof ctx.constructor.constructor("return process")',
    'return typeof (async () => {}).constructor("return this").constructor("return this")().process',
    'return typeof input.constructor.constructor("return this")().require',
    'return typeof Error().constructor.prepareStackTrace',
  ])('%s', async (source) => expect(['undefined', 'function']).toContain((await run(source)).value));

  it.each([
    'return process.pid',
    'return require("fs")',
    'return (await import("node:fs")).readFileSync("/etc/passwd")',
    'return ctx.log.constructor("return process")()',
    'return console.log.constructor("return process")()',
  ])('%s fails', async (source) => {
    expect(await failure(source)).toMatchObject({ code: 'TASK_ERROR' });
  });

  it('carries nothing from one run to the next', async () => {
    await run(
      'globalThis.left = 1; Object.prototype.left = 1; Array.prototype.push = null; JSON.stringify = () => "x"; Promise.prototype.then = null',
    );
    expect((await run('return [typeof left, typeof ({}).left, typeof [].push, JSON.stringify(1)]')).value).toEqual([
      'undefined',
      'undefined',
      'function',
      '1',
    ]);
    expect(({} as Record<string, unknown>)['left']).toBeUndefined();
  });

  it('answers with JSON whatever the code does to its globals', async () => {
    expect((await run('JSON.stringify = () => "}{"; globalThis.String = null; return {a: 1}')).value).toEqual({ a: 1 });
    expect((await run('Object.prototype.toJSON = () => "caught"; return {a: 1}')).value).toBe('caught');
    expect((await failure('Promise.prototype.then = () => { throw 1 }; throw new Error("x")')).message).toBe('x');
  });
});
