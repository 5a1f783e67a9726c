import type { Command } from 'commander';
import type { OtlpOptions, OtlpTarget } from '../contract/process.ts';
import { Fault } from '../lib/fault.ts';
import { list, option } from './options.ts';
import type { ProcessIo } from './process-io.ts';

export interface OtlpFlags {
  otlp?: string;
  otlpSignals?: string[];
  otlpProtocol?: string;
  otlpSampling?: string;
  otlpCa?: string;
}

type Env = ProcessIo['env'];
type Signal = 'traces' | 'metrics' | 'logs';
const SIGNALS: readonly Signal[] = ['traces', 'metrics', 'logs'];
const EXAMPLE = 'https://collector.example:4318';
const HEADER = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** The options of `master` for OpenTelemetry. Each has a standard variable, too, over which it goes. */
export function otlpOptions(command: Command, io: Pick<ProcessIo, 'env'>): void {
  option(
    command,
    io,
    '--otlp <url>',
    'export traces and metrics by OTLP over HTTP to this collector, such as http://localhost:4318 (or OTEL_EXPORTER_OTLP_ENDPOINT; headers: OTEL_EXPORTER_OTLP_HEADERS)',
  );
  option(command, io, '--otlp-signals <names>', 'what is exported: traces, metrics, logs (default: traces,metrics)', {
    parse: list,
  });
  option(command, io, '--otlp-protocol <name>', 'http/protobuf or http/json (default: http/protobuf)');
  option(
    command,
    io,
    '--otlp-sampling <ratio>',
    'share of jobs that are traced, from 0 to 1, where the caller did not decide (default: 1; or OTEL_TRACES_SAMPLER and _ARG)',
  );
  option(command, io, '--otlp-ca <file>', 'certificate authority of that URL (PEM)');
}

/** Null: nothing is exported. Throws USAGE. */
export function otlpOf(flags: OtlpFlags, env: Env): OtlpOptions | null {
  if (/^true$/i.test(env['OTEL_SDK_DISABLED'] ?? '') && flags.otlp === undefined) return null;
  const base = flags.otlp ?? given(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const chosen = flags.otlpSignals ?? null;
  const unknown = chosen?.find((name) => !SIGNALS.some((signal) => signal === name));
  if (unknown !== undefined) throw new Fault('USAGE', `--otlp-signals knows ${SIGNALS.join(', ')}, got "${unknown}"`);
  const targets = Object.fromEntries(
    SIGNALS.map((signal) => [
      signal,
      isExported(signal, chosen, flags, env) ? targetOf(signal, base, flags, env) : null,
    ]),
  ) as Record<Signal, OtlpTarget | null>;
  if (SIGNALS.every((signal) => targets[signal] === null)) {
    const lonely = (['otlpSignals', 'otlpProtocol', 'otlpSampling', 'otlpCa'] as const).find(
      (name) => flags[name] !== undefined,
    );
    if (lonely !== undefined && base === undefined)
      throw new Fault('USAGE', 'the options --otlp-… need --otlp with the URL of the collector');
    return null;
  }
  return {
    ...targets,
    sampling: samplingOf(flags, env),
    resource: {
      ...pairsOf('OTEL_RESOURCE_ATTRIBUTES', env),
      ...(env['OTEL_SERVICE_NAME'] ? { 'service.name': env['OTEL_SERVICE_NAME'] } : {}),
    },
    delayMs: milliseconds(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000),
    metricIntervalMs: milliseconds(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000),
  };
}

/** Lines are exported only where that was asked for: they are many, and the log store has them. */
function isExported(signal: Signal, chosen: readonly string[] | null, flags: OtlpFlags, env: Env): boolean {
  if (chosen) return chosen.includes(signal);
  const name = signal.toUpperCase();
  const variable = `OTEL_${name}_EXPORTER`;
  const exporter = given(env, variable);
  // Other exporters are those of other programs that share the environment.
  if (exporter !== undefined && exporter !== 'otlp') return false;
  const own = given(env, `OTEL_EXPORTER_OTLP_${name}_ENDPOINT`) !== undefined;
  const base = flags.otlp !== undefined || given(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined;
  return own || (base && (signal !== 'logs' || exporter === 'otlp'));
}

function targetOf(signal: Signal, base: string | undefined, flags: OtlpFlags, env: Env): OtlpTarget {
  const prefix = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_`;
  const setting = (name: string): string | undefined =>
    given(env, `${prefix}${name}`) ?? given(env, `OTEL_EXPORTER_OTLP_${name}`);
  const own = flags.otlp === undefined ? given(env, `${prefix}ENDPOINT`) : undefined;
  if (own === undefined && base === undefined)
    throw new Fault('USAGE', `--otlp-signals ${signal} needs --otlp with the URL of the collector`);
  const option =
    flags.otlp === undefined ? (own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : `${prefix}ENDPOINT`) : '--otlp';
  const url = urlOf(option, own ?? `${(base ?? '').replace(/\/+$/, '')}/v1/${signal}`);
  const protocol = flags.otlpProtocol ?? setting('PROTOCOL') ?? 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    throw new Fault(
      'USAGE',
      `${flags.otlpProtocol === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : '--otlp-protocol'} must be http/protobuf or http/json, got "${protocol}": collectors take OTLP over HTTP at port 4318`,
    );
  const compression = setting('COMPRESSION') ?? 'none';
  if (compression !== 'gzip' && compression !== 'none')
    throw new Fault('USAGE', `OTEL_EXPORTER_OTLP_COMPRESSION must be gzip or none, got "${compression}"`);
  const certFile = setting('CLIENT_CERTIFICATE');
  const keyFile = setting('CLIENT_KEY');
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Fault(
      'USAGE',
      'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY belong together: set both, or neither',
    );
  const ca = flags.otlpCa ?? setting('CERTIFICATE');
  return {
    url,
    headers: { ...pairsOf('OTEL_EXPORTER_OTLP_HEADERS', env, true), ...pairsOf(`${prefix}HEADERS`, env, true) },
    tls: {
      caFile: ca ?? null,
      client: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : null,
    },
    timeoutMs: milliseconds(
      env,
      given(env, `${prefix}TIMEOUT`) ? `${prefix}TIMEOUT` : 'OTEL_EXPORTER_OTLP_TIMEOUT',
      10_000,
    ),
    compression: compression === 'gzip',
    encoding: protocol === 'http/json' ? 'json' : 'protobuf',
  };
}

function urlOf(option: string, text: string): string {
  const url = URL.parse(text);
  // What is wrong with it is told without it: it may hold a password.
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Fault('USAGE', `${option} must be an http or https URL such as ${EXAMPLE}`);
  if (url.username !== '' || url.password !== '')
    throw new Fault(
      'USAGE',
      `${option} must not contain a user name or password: set them in OTEL_EXPORTER_OTLP_HEADERS, for example authorization=Basic%20…`,
    );
  return url.href;
}

function samplingOf({ otlpSampling }: OtlpFlags, env: Env): OtlpOptions['sampling'] {
  if (otlpSampling !== undefined) return { parentBased: true, ratio: ratioOf('--otlp-sampling', otlpSampling) };
  const sampler = given(env, 'OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const parentBased = sampler.startsWith('parentbased_');
  const name = parentBased ? sampler.slice('parentbased_'.length) : sampler;
  if (name === 'always_on') return { parentBased, ratio: 1 };
  if (name === 'always_off') return { parentBased, ratio: 0 };
  if (name === 'traceidratio')
    return { parentBased, ratio: ratioOf('OTEL_TRACES_SAMPLER_ARG', given(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1') };
  throw new Fault(
    'USAGE',
    `OTEL_TRACES_SAMPLER must be always_on, always_off, traceidratio, or one of these with parentbased_ before it, got "${sampler}"`,
  );
}

function ratioOf(name: string, text: string): number {
  const ratio = text.trim() === '' ? Number.NaN : Number(text);
  if (!(ratio >= 0 && ratio <= 1))
    throw new Fault('USAGE', `${name} must be a number from 0 to 1 such as 0.01, got "${text}"`);
  return ratio;
}

function milliseconds(env: Env, name: string, fallback: number): number {
  const text = given(env, name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 1 || value > 3_600_000)
    throw new Fault('USAGE', `${name} must be a number of milliseconds from 1 to 3600000, got "${text}"`);
  return value;
}

/** `name=value,name=value` with values in percent-encoding, as W3C Baggage has it. What is wrong is told without the values. */
function pairsOf(variable: string, env: Env, asHeaders = false): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const part of (env[variable] ?? '').split(',')) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(0, at)).trim();
    if (name === '' || (asHeaders && !HEADER.test(name)))
      throw new Fault('USAGE', `${variable} must be a list such as name=value,other=value`);
    try {
      pairs[name] = decodeURIComponent(part.slice(at + 1).trim());
    } catch {
      throw new Fault('USAGE', `${variable}: the value of ${name} is not in percent-encoding (% itself is %25)`);
    }
    if (asHeaders && /[^\t -~\u0080-\u00ff]/.test(pairs[name] ?? ''))
      throw new Fault('USAGE', `${variable}: the value of ${name} has characters that no header may have`);
  }
  return pairs;
}

/** An empty variable counts as not set. */
const given = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;
