import { describeMetricStore } from '../metric-store.fixture.ts';
import { useRemoteMetrics } from './remote.fixture.ts';

/** The last whole minute: InfluxDB tells names of the last days alone. */
const NOW = Math.floor(Date.now() / 60_000) * 60_000;
const remote = useRemoteMetrics();

describeMetricStore(NOW, async () => remote.open(await remote.options(), { now: () => NOW }));
