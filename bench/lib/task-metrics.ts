const WORKFLOWS = 20;
const NODES = 5;
const WORKERS = 8;
const BATCH = 2000;

/** Points of `task_metrics` as a master writes them, evenly over a range, as line protocol in milliseconds. Always the same. */
export function* taskMetricLines(count: number, from: number, to: number): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let seed = 1;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed >>> 8) % below;
  };
  let lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const tags = `environment=prod,node=node-${next(NODES)},worker_id=w-${next(WORKERS)},workflow_id=flow-${next(WORKFLOWS)}`;
    const counters = `counter_input_event_count=1i,counter_output_event_count=1i,counter_error_count=${next(50) === 0 ? 1 : 0}i`;
    const bytes = `counter_input_byte_count=${next(4000)}i,counter_output_byte_count=${next(4000)}i`;
    const timers = `timer_schedule_ms=${next(50)},timer_run_ms=${next(500)}`;
    const time = from + Math.floor((i * (to - from)) / count);
    lines.push(`task_metrics,${tags} ${counters},${bytes},${timers} ${time}\n`);
    if (lines.length < BATCH && i < count - 1) continue;
    yield encoder.encode(lines.join(''));
    lines = [];
  }
}
