import { START } from './metric-points.ts';
import { median, round } from './report.ts';

/** Questions to a day of the points of `metric-points.ts`, in Flux, PromQL and InfluxQL. */
export interface MetricQuery {
  readonly name: string;
  readonly flux: string;
  readonly promql: string;
  readonly influxql: string;
  readonly stepSeconds: number;
  /** Most times as long as VictoriaMetrics takes. */
  readonly most: number;
}

export const metricQueries = (end: number): MetricQuery[] => {
  const read = `from(bucket: "metrics") |> range(start: ${new Date(START).toISOString()}, stop: ${new Date(end).toISOString()}) |> filter(fn: (r) => r._measurement == "bench" and r._field == "value")`;
  const means = (every: string) => `aggregateWindow(every: ${every}, fn: mean, createEmpty: false)`;
  const during = `time >= ${START}ms AND time < ${end}ms`;
  return [
    {
      name: 'ten series, minute means',
      flux: `${read} |> filter(fn: (r) => r.host == "7" or r.host == "8") |> ${means('1m')}`,
      promql: 'avg_over_time(bench_value{host=~"7|8"}[1m])',
      influxql: `SELECT mean(value) FROM bench WHERE (host = '7' OR host = '8') AND ${during} GROUP BY time(1m), * fill(none)`,
      stepSeconds: 60,
      most: 2,
    },
    ...(['10m', '1m'] as const).flatMap((every) => {
      const stepSeconds = every === '1m' ? 60 : 600;
      return [
        {
          name: `by workflow, means of ${every}`,
          flux: `${read} |> group(columns: ["workflow"]) |> ${means(every)}`,
          promql: `avg by (workflow) (avg_over_time(bench_value[${every}]))`,
          influxql: `SELECT mean(value) FROM bench WHERE ${during} GROUP BY time(${every}), workflow fill(none)`,
          stepSeconds,
          most: 3,
        },
        {
          name: `by workflow, means of the series' means of ${every}`,
          flux: `${read} |> ${means(every)} |> group(columns: ["workflow", "_time"]) |> mean()`,
          promql: `avg by (workflow) (avg_over_time(bench_value[${every}]))`,
          influxql: `SELECT mean(m) FROM (SELECT mean(value) AS m FROM bench WHERE ${during} GROUP BY time(${every}), * fill(none)) WHERE ${during} GROUP BY time(${every}), workflow fill(none)`,
          stepSeconds,
          most: 3,
        },
      ];
    }),
  ];
};

export interface QueryFigures {
  readonly name: string;
  /** Of the first time, and the median of the others. */
  readonly firstMs: number;
  readonly warmMs: number;
  /** Processor time of the store's process, all threads. */
  readonly warmCpuMs: number;
  readonly bytes: number;
}

/** Asks over HTTP, several times. */
export async function timeQuery(
  name: string,
  request: () => Promise<Response>,
  cpuMs: () => number,
): Promise<QueryFigures> {
  const ms: number[] = [];
  const cpu: number[] = [];
  let bytes = 0;
  for (let i = 0; i < 6; i++) {
    const from = performance.now();
    const spent = cpuMs();
    const answer = await request();
    bytes = (await answer.arrayBuffer()).byteLength;
    if (!answer.ok) throw new Error(`${name}: answered ${answer.status}`);
    ms.push(performance.now() - from);
    cpu.push(cpuMs() - spent);
  }
  return {
    name,
    firstMs: round(ms[0] ?? 0),
    warmMs: round(median(ms.slice(1))),
    warmCpuMs: round(median(cpu.slice(1))),
    bytes,
  };
}
