import { afterAll, afterEach, beforeAll } from 'vitest';
import { LIMITS, type Limits } from '../../../contract/limits.ts';
import type { RemoteMetricsOptions, RunningMaster } from '../../../contract/process.ts';
import { provisionInflux } from '../../../lib/influxdb/provision.ts';
import { createRemoteHttp, remoteTarget } from '../../../lib/remote-http.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../../master.fixture.ts';
import type { MetricsRoom } from '../port.ts';
import { createRemoteMetrics } from './remote.ts';

let number = 0;

/** Stores over a real InfluxDB where `YARDMASTER_TEST_INFLUXDB` has its address, else over the metric store of another master. */
export function useRemoteMetrics() {
  let server: Omit<RemoteMetricsOptions, 'bucket'>;
  let master: RunningMaster | null = null;
  const opened: MetricsRoom[] = [];
  const given = process.env['YARDMASTER_TEST_INFLUXDB'];

  beforeAll(async () => {
    if (given) {
      server = {
        url: given,
        credentials: { token: process.env['YARDMASTER_TEST_INFLUXDB_TOKEN'] ?? '' },
        caFile: null,
        organization: process.env['YARDMASTER_TEST_INFLUXDB_ORG'] ?? 'yardmaster',
      };
      return;
    }
    master = await openMaster({ data: temporaryFolder('influx-server') });
    server = {
      url: `http://127.0.0.1:${master.ready.ports.metrics}`,
      credentials: { token: master.ready.token },
      caFile: null,
      organization: 'yardmaster',
    };
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  afterAll(() => master?.close());

  return {
    get server() {
      return server;
    },
    /** Buckets of its own. */
    async options(): Promise<RemoteMetricsOptions> {
      const bucket = `test-${process.pid}-${number++}`;
      const options = { ...server, bucket };
      const http = createRemoteHttp(remoteTarget(options, '--metrics-ca'), 1);
      const retention = { all: 0, jobs: 0, rolled: 0 };
      await provisionInflux(http, server.url, { organization: server.organization, bucket, retention, dryRun: false });
      http.close();
      return options;
    },
    /** A store over an address, closed after the test. */
    async open(
      options: RemoteMetricsOptions,
      {
        limits = {},
        folder = temporaryFolder('remote-metrics'),
        log = () => {},
        now = Date.now,
      }: { limits?: Partial<Limits>; folder?: string; log?: (line: string) => void; now?: () => number } = {},
    ): Promise<MetricsRoom> {
      const { room } = await createRemoteMetrics(options, {
        folder,
        limits: { ...LIMITS, ...limits },
        clock: { now },
        log,
      });
      opened.push(room);
      return room;
    },
  };
}
