import { parseJson } from '../src/lib/json.ts';
import { parseFilterText, parseQuery } from '../src/lib/logsql/parse.ts';
import { parsePipelineAddress } from '../src/lib/pipeline-address.ts';
import { bareAddress, isProxyRange } from '../src/lib/proxies.ts';
import { parseTemplate } from '../src/lib/template.ts';
import { decodeBody } from '../src/server/http/hooks/decode-body.ts';
import { parsePrefer } from '../src/server/http/events/event-headers.ts';
import { parse as parseFlux } from '../src/server/metrics/flux/language/parse.ts';
import { parseDuration, parseTime } from '../src/server/metrics/flux/values/time.ts';
import { parsePredicate } from '../src/server/metrics/http/predicate.ts';

/** Readers of what comes from outside, as functions of a text. Refusing is fine: a bug is what no reader throws on purpose, and what takes long. */
export const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  json: parseJson,
  logsql: parseQuery,
  'logsql-filter': parseFilterText,
  flux: parseFlux,
  'flux-duration': parseDuration,
  'flux-time': parseTime,
  'influx-predicate': parsePredicate,
  template: parseTemplate,
  prefer: (text) => parsePrefer(text, 3600),
  multipart: (text) =>
    decodeBody(Buffer.from(text, 'utf8'), 'multipart/form-data; boundary=XX', null, {
      jsonDepth: 100,
      jsonValues: 10_000,
      webhookParts: 20,
    }),
  'pipeline-address': parsePipelineAddress,
  proxy: (text) => [bareAddress(text), isProxyRange(text)],
};

/** What the machine throws, not a reader: a member of nothing, a stack or a string that grew too large. */
export const isBug = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof ReferenceError ||
  (error instanceof RangeError && /call stack|string length|array length/i.test(error.message));
