/** Lines of about 252 bytes with 10 fields, as services write them: the same ones for the same number. */
export const LINE_START = Date.UTC(2026, 0, 10);
/** Milliseconds from line to line. */
export const LINE_STEP_MS = 2;
export const JOBS = 200;

const LEVELS = ['INFO', 'INFO', 'INFO', 'INFO', 'INFO', 'DEBUG', 'DEBUG', 'WARN', 'WARN', 'ERROR'];
const WHAT = [
  'order accepted',
  'payment captured',
  'stock reserved',
  'label printed',
  'mail queued',
  'cache refreshed',
  'retry scheduled',
  'connection reset by peer',
];

/** What one line in 111 says, and one in 100,003. */
const SELDOM = 'disk almost full';
const RARE = 'certificate rotation failed';
const RARE_EVERY = 100_003;
const RARE_FIRST = 5;

/** A mix of bits of a number: the same for the same, evenly spread. */
function mixed(n: number): number {
  let h = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
const hex = (n: number): string => n.toString(16).padStart(8, '0');

export const jobOf = (n: number): string => `job-${Math.floor(n / 500) % JOBS}`;
export const taskOf = (n: number): string => `task-${Math.floor(n / 50)}`;

export function lineOf(n: number): string {
  const a = mixed(n);
  const b = mixed(a);
  const time = new Date(LINE_START + n * LINE_STEP_MS).toISOString();
  const what = n % RARE_EVERY === RARE_FIRST ? RARE : n % 111 === 0 ? SELDOM : WHAT[b % 8];
  return `{"_time":"${time}","level":"${LEVELS[a % 10]}","job_id":"${jobOf(n)}","task_id":"${taskOf(n)}","worker_id":"w-${b % 8}","source":"worker","trace":"${hex(a)}${hex(b)}","ms":${(b % 100_000) / 10},"code":${200 + (a % 4)},"_msg":"${what} for customer ${a % 100_000} in ${b % 1000} ms, attempt ${a % 3}, path /v1/orders/${b % 1_000_000}"}\n`;
}

/** Lines `from` to `to` in batches of about `bytes`. */
export function* batchesOf(from: number, to: number, bytes = 1_000_000): Generator<{ lines: number; bytes: Buffer }> {
  let text = '';
  let count = 0;
  for (let n = from; n < to; n++) {
    text += lineOf(n);
    count++;
    if (text.length < bytes && n < to - 1) continue;
    yield { lines: count, bytes: Buffer.from(text, 'latin1') };
    text = '';
    count = 0;
  }
}

/** What is asked of a store, and how many rows the answer must have for so many lines. */
export function queriesOf(lines: number): { name: string; query: string; limit?: number; rows: number | null }[] {
  const job = Math.min(77, Math.floor((lines - 1) / 500));
  const ofJob = Array.from({ length: Math.ceil(lines / 500) }, (_, part) =>
    part % JOBS === job ? Math.min(500, lines - part * 500) : 0,
  ).reduce((a, b) => a + b, 0);
  const rare = Math.max(0, Math.floor((lines - 1 - RARE_FIRST) / RARE_EVERY) + 1);
  return [
    { name: 'one job', query: `job_id:="job-${job}"`, rows: ofJob },
    { name: 'one task', query: `task_id:="${taskOf(lines >> 1)}"`, rows: Math.min(50, lines) },
    { name: 'words', query: '"connection reset" level:=ERROR | stats count() n', rows: 1 },
    { name: 'phrase', query: `"${SELDOM}" | stats count() n`, rows: 1 },
    { name: 'rare phrase', query: `"${RARE}"`, rows: rare },
    { name: 'rare substring', query: `_msg:~"${RARE.slice(3, 15)}"`, rows: rare },
    { name: 'worker and word, newest 500', query: 'worker_id:="w-1" 777', limit: 500, rows: null },
    { name: 'substring', query: '_msg:~"eset by pee" | stats count() n', rows: 1 },
    { name: 'regexp', query: '_msg:~"customer 4[0-9]{3}7 in" | stats count() n', rows: 1 },
    { name: 'absent word', query: 'neverwritten', rows: 0 },
    { name: 'level, count', query: 'level:=ERROR | stats count() n', rows: 1 },
    { name: 'hits by level per hour', query: '* | stats by (_time:1h, level) count() n', rows: null },
    { name: 'hits by level per minute', query: '* | stats by (_time:1m, level) count() n', rows: null },
    { name: 'mean by worker', query: '* | stats by (worker_id) avg(ms) a', rows: Math.min(8, lines) },
    { name: 'newest 500 errors', query: 'level:=ERROR', limit: 500, rows: null },
    { name: 'newest 500', query: '*', limit: 500, rows: Math.min(500, lines) },
  ];
}
