import {
  newQuickJSWASMModule,
  newVariant,
  RELEASE_SYNC,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten';
import { isRecord } from '../../lib/is-record.ts';
import { errorMessage } from '../../lib/errors.ts';
import { LOG_LEVELS, MASTER_CODES, type LogLevel } from '../../contract/vocabulary.ts';
import { parseJson } from '../../lib/json.ts';
import { TaskExecutionError, timeoutError } from '../task-execution-error.ts';
import { rawNumbersIn, withRawNumbers } from '../raw-numbers.ts';
import { PRELUDE } from './sandbox-prelude.ts';
import { stackFrames } from './stack-frames.ts';
import type { CodeLogLine, IsolateJob } from '../isolation/protocol.ts';

type CodeJob = Extract<IsolateJob, { kind: 'code' }>;

/** Runs code nodes, one at a time, each in a runtime of its own. */
export interface Sandbox {
  /** The result as JSON text. Throws a `TaskExecutionError`. */
  run(job: CodeJob, onLine: (line: CodeLogLine) => void): Promise<string>;
  /** Does once what the first run would have to: loads the engine, with so much memory for code, and runs something in it. */
  warm(memoryBytes: number): Promise<void>;
}

/** Bytes of stack that code may use before it gets a RangeError. */
const STACK_BYTES = 256 * 1024;
const PAGE_BYTES = 64 * 1024;
/** What the module takes before any code runs. */
const BASE_PAGES = 256;
/** A module whose memory grew beyond this is given back after the run. */
const KEPT_PAGES = 2 * BASE_PAGES;

/** Node has it; the compiler's library for Node does not name it. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
const wasm = // Node has it, its types do not.
  (globalThis as unknown as { WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => WasmMemory } })
    .WebAssembly;

const NOTHING: CodeJob = {
  kind: 'code',
  source: 'return null',
  input: 'null',
  attempt: 1,
  taskId: '',
  secrets: '{}',
  memoryBytes: 0,
  outputBytes: PAGE_BYTES,
  logLines: 0,
  timeoutMs: 10_000,
};

interface Loaded {
  module: QuickJSWASMModule;
  memory: WasmMemory;
}
interface Engine {
  readonly memoryBytes: number;
  readonly loading: Promise<Loaded>;
  /** False: it must not be used again. */
  whole: boolean;
}

export function createSandbox(): Sandbox {
  let current: Engine | null = null;

  function forget(engine: Engine): void {
    engine.whole = false;
    if (current === engine) current = null;
  }

  const sandbox: Sandbox = {
    async run(job, onLine) {
      const { memoryBytes } = job;
      let engine: Engine;
      let loaded: Loaded;
      // Runs that waited for it take their turns: the one before may have broken it. Each turn breaks one at most, so this ends.
      do {
        engine =
          current?.memoryBytes === memoryBytes ? current : { memoryBytes, loading: load(memoryBytes), whole: true };
        current = engine;
        try {
          loaded = await engine.loading;
        } catch (error) {
          forget(engine);
          throw error;
        }
      } while (!engine.whole);
      const { module, memory } = loaded;
      try {
        return runIn(module, job, onLine, engine);
      } catch (error) {
        if (error instanceof TaskExecutionError) throw error;
        engine.whole = false;
        throw new TaskExecutionError('TASK_ERROR', `the sandbox of the code failed: ${errorMessage(error)}`);
      } finally {
        if (!engine.whole || memory.buffer.byteLength > KEPT_PAGES * PAGE_BYTES) forget(engine);
      }
    },
    async warm(memoryBytes) {
      await sandbox.run({ ...NOTHING, memoryBytes }, () => {});
    },
  };
  return sandbox;
}

/** The engine's own count misses most of what arrays and texts take, so the memory of the module itself is bounded. */
async function load(memoryBytes: number): Promise<Loaded> {
  const memory = new wasm.Memory({ initial: BASE_PAGES, maximum: BASE_PAGES + Math.ceil(memoryBytes / PAGE_BYTES) });
  // An engine that gives up tells so by throwing; its own line on stderr would help nobody.
  const emscriptenModule: object = { printErr() {}, print() {} };
  return {
    module: await newQuickJSWASMModule(newVariant(RELEASE_SYNC, { wasmMemory: memory, emscriptenModule })),
    memory,
  };
}

/**
 * One run. Nothing of the host is in reach but one function that takes log lines, and nothing outlives the run. Where
 * the engine cannot clean up behind it, it is no longer whole.
 */
function runIn(
  module: QuickJSWASMModule,
  job: CodeJob,
  onLine: (line: CodeLogLine) => void,
  engine: Pick<Engine, 'whole'>,
): string {
  const runtime = module.newRuntime();
  const deadline = Date.now() + job.timeoutMs;
  let late = false;
  runtime.setMemoryLimit(job.memoryBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(() => (late ||= Date.now() > deadline));
  const context = runtime.newContext();
  let result: string;
  try {
    result = settle(runtime, context, startCode(context, job, onLine), () => late);
  } catch (error) {
    if (late) throw timeoutError(job.kind, job.timeoutMs);
    if (error instanceof TaskExecutionError) throw memoryError(error, job);
    throw error;
  } finally {
    try {
      context.dispose();
      runtime.dispose();
    } catch {
      engine.whole = false;
    }
  }
  if (late) throw timeoutError(job.kind, job.timeoutMs);
  if (result[0] !== 'D') throw memoryError(toTaskError(result, job.source), job);
  return restoreRawNumbers(result.slice(1), job);
}

function startCode(context: QuickJSContext, job: CodeJob, onLine: (line: CodeLogLine) => void): QuickJSHandle {
  let lines = 0;
  const log = context.newFunction('log', (level, message, fields) => {
    if (++lines <= job.logLines)
      onLine({
        level: parseLevel(context.getString(level)),
        message: context.getString(message),
        fields: parseFields(context.getString(fields)),
      });
    else if (lines === job.logLines + 1)
      onLine({
        level: 'WARN',
        message: `the code logged more than ${job.logLines} lines; further lines are dropped`,
        fields: {},
      });
  });
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'));
  const args = [
    log,
    context.newString(job.input),
    context.newNumber(job.attempt),
    context.newString(job.taskId),
    context.newString(job.source),
    context.newString(job.secrets),
  ];
  try {
    return unwrap(context, context.callFunction(prelude, context.undefined, ...args));
  } finally {
    for (const handle of [prelude, ...args]) handle.dispose();
  }
}

/** Runs the promise's jobs until it is settled; what is left open then can never settle. */
function settle(runtime: QuickJSRuntime, context: QuickJSContext, promise: QuickJSHandle, late: () => boolean): string {
  try {
    const ran = runtime.executePendingJobs();
    if (ran.error) {
      const thrown = ran.error;
      throw new TaskExecutionError('TASK_ERROR', takeMessage(ran.error.context, thrown));
    }
    const state = context.getPromiseState(promise);
    if (state.type === 'pending')
      throw new TaskExecutionError(
        'TASK_ERROR',
        late()
          ? 'the code exceeded its time limit'
          : 'the code awaits a promise that never settles: timers and network are not available in the sandbox',
      );
    if (state.type === 'rejected') throw new TaskExecutionError('TASK_ERROR', takeMessage(context, state.error));
    const text = context.getString(state.value);
    if (!state.notAPromise) state.value.dispose();
    return text;
  } finally {
    promise.dispose();
  }
}

function unwrap(context: QuickJSContext, result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
  if (!result.error) return result.value;
  throw new TaskExecutionError('TASK_ERROR', takeMessage(context, result.error));
}

/** What a value that was thrown in the sandbox says; the value is given back. */
function takeMessage(context: QuickJSContext, thrown: QuickJSHandle): string {
  const dumped: unknown = context.dump(thrown);
  thrown.dispose();
  return String((isRecord(dumped) ? dumped['message'] : undefined) ?? dumped);
}

/** What the prelude tells of a throw: kind letter, then JSON. */
function toTaskError(told: string, source: string): TaskExecutionError {
  const { message, code, final, mistake, stack: text }: Thrown = JSON.parse(told.slice(1));
  const stack = stackFrames(text, source);
  if (told[0] === 'S')
    return new TaskExecutionError('INVALID_DAG', `the code has a syntax error: ${message}`, { stack });
  const known =
    code !== null && !MASTER_CODES.has(code) && /^[A-Za-z][A-Za-z0-9_.:-]{0,99}$/.test(code)
      ? code
      : final
        ? 'NON_RETRYABLE'
        : 'TASK_ERROR';
  const retryable = mistake ? { retryable: false } : final === null ? {} : { retryable: !final };
  return new TaskExecutionError(known, message, { ...retryable, stack });
}

interface Thrown {
  readonly message: string;
  readonly code: string | null;
  /** Whether the error says of itself that it is not to be retried; null: it does not say. */
  readonly final: boolean | null;
  /** An error of the language, which says nothing of itself. */
  readonly mistake: boolean;
  readonly stack: string;
}

function memoryError(error: TaskExecutionError, job: CodeJob): TaskExecutionError {
  if (!/out of memory/.test(error.message)) return error;
  return new TaskExecutionError(
    'TASK_ERROR',
    `the code needed more than its ${Math.round(job.memoryBytes / 1024 / 1024)} MiB of memory`,
  );
}

function restoreRawNumbers(text: string, job: CodeJob): string {
  if (text.length > job.outputBytes) return text;
  const raws = rawNumbersIn(parseJson(job.input));
  return raws === null ? text : JSON.stringify(withRawNumbers(JSON.parse(text), raws));
}

const ALIASES: Readonly<Record<string, LogLevel>> = {
  WARNING: 'WARN',
  ERR: 'ERROR',
  CRITICAL: 'FATAL',
  VERBOSE: 'DEBUG',
  NOTICE: 'INFO',
};

function parseLevel(text: string): LogLevel {
  const upper = text.toUpperCase();
  return LOG_LEVELS.find((level) => level === upper) ?? ALIASES[upper] ?? 'INFO';
}

function parseFields(text: string): Record<string, unknown> {
  const value: unknown = text === '' ? null : JSON.parse(text);
  if (value === null) return {};
  return isRecord(value) ? value : { fields: value };
}
