/** Points of a day for the benchmark of metrics: 400 hosts of 5 cores, each host of one of 20 workflows, a value every 17.28 s, walking by hundredths. */

export const SERIES = 2000;
export const STEP_MS = 17_280;
export const START = Date.UTC(2026, 0, 1);
const CORES = 5;
const WORKFLOWS = 20;

interface Point {
  series: number;
  time: number;
  value: number;
}

/** In the order of their times, a batch at a time. Always the same. */
export function* pointsOf(ticks: number, batch: number): Generator<Point[]> {
  const values = Float64Array.from({ length: SERIES }, (_, i) => 1000 + (i % 100) * 50);
  let seed = 1;
  let points: Point[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    for (let series = 0; series < SERIES; series++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const value = (values[series] as number) + ((seed >>> 8) % 41) - 20;
      values[series] = value;
      points.push({ series, time: START + tick * STEP_MS, value: value / 100 });
      if (points.length === batch) {
        yield points;
        points = [];
      }
    }
  }
  if (points.length > 0) yield points;
}

/** The same as line protocol, times in milliseconds. */
export function* linesOf(ticks: number, batch: number): Generator<Uint8Array<ArrayBuffer>> {
  const heads = Array.from(
    { length: SERIES },
    (_, i) =>
      `bench,core=${i % CORES},host=${Math.floor(i / CORES)},workflow=wf${Math.floor(i / CORES) % WORKFLOWS} value=`,
  );
  const encoder = new TextEncoder();
  for (const points of pointsOf(ticks, batch))
    yield encoder.encode(
      points.map(({ series, time, value }) => `${heads[series] as string}${value} ${time}\n`).join(''),
    );
}
