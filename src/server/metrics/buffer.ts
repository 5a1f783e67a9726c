import type { MetricPoint } from '../../contract/worker-protocol.ts';

/** Points of one measurement on their way to the store: one row there. */
export interface Chunk {
  measurement: string;
  /** First and last time of its points. */
  from: number;
  to: number;
  count: number;
  /** Ids of the jobs that have points in it, with spaces between: one text crosses to a thread quicker than thousands. */
  jobs: string;
  /** JSON array of the points. */
  text: string;
}

export interface Buffer {
  add(point: MetricPoint): void;
  /** Gives away what is collected. */
  flush(): void;
  readonly size: number;
}

/** Points that become text in one turn of the loop. */
const TURN = 256;
const MOST = 2048;

interface Open {
  points: MetricPoint[];
  texts: string[];
  from: number;
  to: number;
  count: number;
  jobs: Set<string>;
}

/** Collects points by measurement. Text is made a little at a time, so that no turn of the loop is long. */
export function createBuffer(give: (chunk: Chunk) => void): Buffer {
  const open = new Map<string, Open>();
  let size = 0;

  function toText(one: Open): void {
    if (one.points.length > 0) one.texts.push(JSON.stringify(one.points).slice(1, -1));
    one.points = [];
  }
  function close(measurement: string, one: Open): void {
    toText(one);
    open.delete(measurement);
    size -= one.count;
    give({ measurement, from: one.from, to: one.to, count: one.count, jobs: [...one.jobs].join(' '), text: `[${one.texts.join(',')}]` });
  }
  return {
    add(point) {
      let one = open.get(point.measurement);
      if (!one) open.set(point.measurement, (one = { points: [], texts: [], from: point.time, to: point.time, count: 0, jobs: new Set() }));
      one.points.push(point);
      one.count++;
      size++;
      if (point.time < one.from) one.from = point.time;
      if (point.time > one.to) one.to = point.time;
      const job = point.tags['job_id'];
      if (job !== undefined) one.jobs.add(job);
      if (one.count >= MOST) close(point.measurement, one);
      else if (one.points.length >= TURN) toText(one);
    },
    flush() {
      for (const [measurement, one] of open) close(measurement, one);
    },
    get size() {
      return size;
    },
  };
}
