import type { Precision } from '../store/port.ts';
import { invalid, Refusal, sendNothing } from './answer.ts';
import { readBody } from './body.ts';
import { bucketOf, checkOrganization } from './organization.ts';
import type { InfluxRequest } from './port.ts';

const PRECISIONS = new Set<string>(['ns', 'us', 'ms', 's']);

/** Bytes of lines that cannot be parsed that an answer repeats. */
const LINE_CHARACTERS = 200;

/** `POST /api/v2/write`: line protocol. One bad line, and nothing is stored; points that clash with a field's type are left out. */
export async function write({
  store,
  limits,
  request,
  response,
  query,
  heldBytes: held,
}: InfluxRequest): Promise<void> {
  const precision = query.get('precision') ?? 'ns';
  if (!PRECISIONS.has(precision)) throw invalid('invalid precision; valid precision units are ns, us, ms, and s');
  checkOrganization(query, true);
  const bucket = await bucketOf(store, query);
  const { bytes, done } = await readBody(request, limits.influxBodyBytes, held);
  try {
    // The precision was looked at above. A body without points, or without a byte, writes nothing: a client that flushes an
    // empty buffer has done nothing wrong.
    const { faults, faulty, partial, dropped } = await store.write(bucket.name, bytes, precision as Precision);
    if (faulty > 0) {
      const lines = faults.map(
        ({ line, text, reason }) => `unable to parse '${text.slice(0, LINE_CHARACTERS)}': ${reason} (line ${line})`,
      );
      throw invalid(
        [...lines, ...(faulty > faults.length ? [`and ${faulty - faults.length} more lines`] : [])].join('\n'),
      );
    }
    if (partial !== null)
      throw new Refusal(
        422,
        'unprocessable entity',
        `failure writing points to database: partial write: ${partial} dropped=${dropped}`,
      );
    sendNothing(response);
  } finally {
    done();
  }
}
