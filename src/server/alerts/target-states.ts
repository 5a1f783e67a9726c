import type { OtlpState, StoreInfo } from '../../contract/settings.ts';

/** A system elsewhere that log lines, metrics or traces are sent to. */
export interface TargetState {
  readonly target: string;
  readonly address: string;
  /** Age of the oldest that waits, or since when it is failing, whichever is longer. */
  readonly behindSeconds: number;
  /** Since the start. */
  readonly lost: number;
}

export interface TargetInfos {
  readonly logs: StoreInfo;
  readonly metrics: StoreInfo;
  readonly remoteWrite: StoreInfo | null;
  readonly otlp: readonly OtlpState[];
}

const NAMES: Readonly<Record<StoreInfo['kind'], string>> = {
  embedded: '',
  victorialogs: 'VictoriaLogs',
  influxdb: 'InfluxDB',
  'remote-write': 'Prometheus remote write',
  otlp: 'OTLP',
};

/** Of each target that is configured how far behind it is; nothing of stores that the master has itself. */
export function targetStates({ logs, metrics, remoteWrite, otlp }: TargetInfos, now: number): TargetState[] {
  const seconds = (since: string | null | undefined) => (since ? Math.max(0, (now - Date.parse(since)) / 1000) : 0);
  const stateOf = (info: StoreInfo | null, name = ''): TargetState[] =>
    info === null || info.kind === 'embedded'
      ? []
      : [
          {
            target: `${NAMES[info.kind]}${name}`,
            address: info.address ?? '',
            behindSeconds: Math.max(
              seconds(info.queue?.oldestAt),
              info.state === 'failing' ? Math.max(1, seconds(info.since)) : 0,
            ),
            lost: info.queue?.lost ?? 0,
          },
        ];
  return [
    ...[logs, metrics, remoteWrite].flatMap((info) => stateOf(info)),
    ...otlp.flatMap(({ signal, target }) => stateOf(target, ` ${signal}`)),
  ];
}

/** What was seen is kept for so long; a rule that looks further back sees this much. */
const KEPT_MS = 15 * 60_000;
/** At most one of these is kept in so long. */
const STEP_MS = 5000;

/** Counts what each target lost since a time, from its counters as they were seen at each look. */
export function watchLost(
  states: () => readonly TargetState[],
  now: () => number,
): (from: number) => { target: string; address: string; count: number }[] {
  const keyOf = ({ target, address }: TargetState) => `${target} ${address}`;
  const countsOf = (all: readonly TargetState[]) => new Map(all.map((one) => [keyOf(one), one.lost]));
  // Nothing was lost before the start.
  let seen: { at: number; counts: ReadonlyMap<string, number> }[] = [{ at: now(), counts: new Map() }];
  return (from) => {
    const [at, all] = [now(), states()];
    const since = seen.findLast((one) => one.at <= from) ?? seen[0];
    if (at - (seen.at(-1)?.at ?? 0) >= STEP_MS)
      seen = [...seen.filter((one) => one.at > at - KEPT_MS), { at, counts: countsOf(all) }];
    return all.map((one) => ({
      ...{ target: one.target, address: one.address },
      count: Math.max(0, one.lost - (since?.counts.get(keyOf(one)) ?? 0)),
    }));
  };
}
