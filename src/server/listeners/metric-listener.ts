import { DEFAULT_PORTS, type Limits } from '../../contract/limits.ts';
import type { MasterOptions } from '../../contract/process.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/port.ts';
import { createProxies } from '../../lib/proxies.ts';
import { clientAddress } from '../http/core/forwarded.ts';
import { createInfluxHttp, refuseInflux, rolesFor } from '../metrics/http/serve.ts';
import type { MetricsRoom, MetricStore } from '../metrics/port.ts';
import { openProtocolListener } from './protocol-listener.ts';
import type { Store } from '../store/port.ts';

interface MetricListenerOptions {
  options: Pick<MasterOptions, 'host' | 'metricsPort' | 'allowedHosts' | 'proxies' | 'log'>;
  tls: { cert: Buffer; key: Buffer } | null;
  access: Access;
  metrics: { store: MetricStore; room: MetricsRoom };
  store: Store;
  limits: Readonly<Limits>;
  clock: Clock;
  onError(error: unknown): void;
}

/** Opens the port at which the metric store speaks the protocol of InfluxDB 2. A token is needed everywhere, as its clients expect. */
export async function openMetricListener({
  options,
  tls,
  access,
  metrics,
  store,
  limits,
  clock,
  onError,
}: MetricListenerOptions): Promise<{ port: number; close(): Promise<void> }> {
  const proxies = options.proxies && createProxies(options.proxies);
  const http = createInfluxHttp({
    store: metrics.store,
    limits,
    clock,
    onError,
    refusing: () => metrics.room.stats().refusing,
    audit: (actor, item) => store.write((db) => access.audit.record(db, actor, item)),
  });
  const door = await openProtocolListener({
    ...options,
    tls,
    access,
    wish: {
      port: options.metricsPort,
      default: DEFAULT_PORTS.metrics,
      what: 'the metric store',
      option: '--metrics-port',
    },
    tokenOnLoopback: true,
    roles: rolesFor,
    handle: (request, response, identity) =>
      http.handle(
        request,
        response,
        identity && { name: identity.actor, role: identity.role, address: clientAddress(request, proxies) },
      ),
    refuse: refuseInflux,
  });
  return {
    port: door.port,
    async close() {
      http.close();
      await door.close();
    },
  };
}
