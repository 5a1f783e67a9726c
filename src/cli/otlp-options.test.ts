import { describe, expect, it } from 'vitest';
import { otlpOf } from './otlp-options.ts';

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

describe('what is exported', () => {
  it('nothing without an address', () => expect(otlpOf({}, { OTEL_SERVICE_NAME: 'x' })).toBeNull());

  it('traces and metrics at the address of the environment, by the defaults of OpenTelemetry', () =>
    expect(otlpOf({}, BASE)).toEqual({
      traces: {
        url: 'http://collector:4318/v1/traces',
        headers: {},
        tls: { caFile: null, client: null },
        timeoutMs: 10_000,
        compression: false,
        encoding: 'protobuf',
      },
      metrics: expect.objectContaining({ url: 'http://collector:4318/v1/metrics' }),
      logs: null,
      sampling: { parentBased: true, ratio: 1 },
      resource: {},
      delayMs: 5000,
      metricIntervalMs: 60_000,
    }));

  it('log lines where they are asked for', () => {
    expect(otlpOf({}, { ...BASE, OTEL_LOGS_EXPORTER: 'otlp' })?.logs?.url).toBe('http://collector:4318/v1/logs');
    expect(otlpOf({ otlp: 'http://c:1', otlpSignals: ['logs'] }, {})).toMatchObject({
      traces: null,
      metrics: null,
      logs: { url: 'http://c:1/v1/logs' },
    });
  });

  it('one signal alone at an address of its own, which is taken as it is', () =>
    expect(otlpOf({}, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/custom' })).toMatchObject({
      traces: { url: 'https://t.example/custom' },
      metrics: null,
      logs: null,
    }));

  it('not what another exporter is named for, nor anything where the SDK is disabled', () => {
    expect(otlpOf({}, { ...BASE, OTEL_METRICS_EXPORTER: 'none' })?.metrics).toBeNull();
    expect(otlpOf({}, { ...BASE, OTEL_METRICS_EXPORTER: 'prometheus' })?.metrics).toBeNull();
    expect(otlpOf({}, { ...BASE, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  });

  it('the option goes before all addresses of the environment', () =>
    expect(
      otlpOf({ otlp: 'http://ours:1/base/' }, { ...BASE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/x' })?.traces
        ?.url,
    ).toBe('http://ours:1/base/v1/traces'));
});

it('reads headers, resource, compression, certificates and times', () =>
  expect(
    otlpOf(
      {},
      {
        ...BASE,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc%3D, x-team=shop',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=ops',
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_CERTIFICATE: 'ca.pem',
        OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: 'c.pem',
        OTEL_EXPORTER_OTLP_CLIENT_KEY: 'k.pem',
        OTEL_EXPORTER_OTLP_TIMEOUT: '500',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=lab,team=a%20b',
        OTEL_SERVICE_NAME: 'jobs',
        OTEL_BSP_SCHEDULE_DELAY: '200',
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
      },
    ),
  ).toMatchObject({
    traces: {
      headers: { authorization: 'Bearer abc=', 'x-team': 'ops' },
      compression: true,
      encoding: 'json',
      tls: { caFile: 'ca.pem', client: { certFile: 'c.pem', keyFile: 'k.pem' } },
      timeoutMs: 500,
    },
    metrics: { headers: { 'x-team': 'shop' } },
    resource: { 'deployment.environment.name': 'lab', team: 'a b', 'service.name': 'jobs' },
    delayMs: 200,
    metricIntervalMs: 1000,
  }));

it.each([
  [{}, { OTEL_TRACES_SAMPLER: 'always_off' }, { parentBased: false, ratio: 0 }],
  [{}, { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, { parentBased: true, ratio: 0 }],
  [{}, { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }, { parentBased: false, ratio: 0.1 }],
  [{}, { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, { parentBased: true, ratio: 1 }],
  [{ otlpSampling: '0.01' }, { OTEL_TRACES_SAMPLER: 'always_off' }, { parentBased: true, ratio: 0.01 }],
])('samples as %j and %j say', (flags, env, sampling) =>
  expect(otlpOf(flags, { ...BASE, ...env })?.sampling).toEqual(sampling),
);

it.each<[object, Record<string, string>, RegExp]>([
  [{ otlp: 'collector:4318' }, {}, /--otlp must be an http or https URL/],
  [{ otlp: 'http://u:secret@c' }, {}, /^(?!.*secret).*OTEL_EXPORTER_OTLP_HEADERS/],
  [{ otlpSampling: '0.5' }, {}, /need --otlp/],
  [{ otlp: 'http://c', otlpSampling: '2' }, {}, /--otlp-sampling must be a number from 0 to 1/],
  [{ otlp: 'http://c', otlpSignals: ['spans'] }, {}, /knows traces, metrics, logs, got "spans"/],
  [{}, { ...BASE, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /must be http\/protobuf or http\/json, got "grpc"/],
  [{}, { ...BASE, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /OTEL_TRACES_SAMPLER must be/],
  [{}, { ...BASE, OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }, /must be gzip or none/],
  [{}, { ...BASE, OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, /^(?!.*secret)/],
  [{}, { ...BASE, OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, /not in percent-encoding/],
  [{}, { ...BASE, OTEL_EXPORTER_OTLP_HEADERS: 'a=x%0d%0ab' }, /no header may have/],
  [{}, { ...BASE, OTEL_EXPORTER_OTLP_CLIENT_KEY: 'k' }, /belong together/],
  [{}, { ...BASE, OTEL_BSP_SCHEDULE_DELAY: 'soon' }, /number of milliseconds/],
])('refuses %j with %j', (flags, env, message) => expect(() => otlpOf(flags, env)).toThrow(message));
