import { expect, it } from 'vitest';
import { remoteMetricsOf, remoteWriteOf } from './remote-metrics.ts';

const env = { YARDMASTER_METRICS_TOKEN: 't' };

it('is off without --metrics, and then takes no part of it', () => {
  expect(remoteMetricsOf({}, env)).toBeNull();
  expect(remoteWriteOf({}, env)).toBeNull();
  expect(() => remoteMetricsOf({ metricsOrg: 'o' }, env)).toThrow('--metrics-org needs --metrics with a URL');
  expect(() => remoteWriteOf({ remoteWriteCa: '/ca' }, env)).toThrow('--remote-write-ca needs --remote-write');
});

it('needs a token and an organization, and has a bucket unless told otherwise', () => {
  expect(() => remoteMetricsOf({ metrics: 'http://influx', metricsOrg: 'o' }, {})).toThrow(/YARDMASTER_METRICS_TOKEN/);
  expect(() => remoteMetricsOf({ metrics: 'http://influx' }, env)).toThrow(/needs --metrics-org/);
  expect(remoteMetricsOf({ metrics: 'http://influx:8086/', metricsOrg: 'o' }, env)).toEqual({
    url: 'http://influx:8086',
    credentials: { token: 't' },
    caFile: null,
    organization: 'o',
    bucket: 'metrics',
  });
  for (const metricsBucket of ['_tasks', 'a"b', ''])
    expect(() => remoteMetricsOf({ metrics: 'http://influx', metricsOrg: 'o', metricsBucket }, env)).toThrow(
      /--metrics-bucket must have/,
    );
});

it('gives each series the labels that it is told', () => {
  const of = (remoteWriteLabels: string) =>
    remoteWriteOf({ remoteWrite: 'http://vm/api/v1/write', remoteWriteLabels }, {})?.labels;
  expect(of('cluster=west, team=a b')).toEqual({ cluster: 'west', team: 'a b' });
  for (const bad of ['a-b=c', '__name__=x', 'west']) expect(() => of(bad)).toThrow(/must be labels such as/);
});
