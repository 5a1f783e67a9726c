import type { LogHits, LogValues } from '../../../../contract/logs.ts';
import { MIN_REDACTED_CHARACTERS } from '../../../../contract/secret-names.ts';
import { parseJson } from '../../../../lib/json.ts';
import { createRedactor, type NamedSecret } from '../../../../lib/redact.ts';

/** Takes out of what is found what became a secret after it was written. Nothing is asked of it that costs while there are no secrets. */
export interface ResultRedactor {
  redact(secrets: readonly NamedSecret[]): void;
  /** A record as the text of a JSON object. Its time stays what it is: that is what it is found by. */
  record(json: string): string;
  hits(found: LogHits): LogHits;
  values(found: LogValues): LogValues;
}

export function createResultRedactor(): ResultRedactor {
  let redactor = createRedactor([], MIN_REDACTED_CHARACTERS);
  return {
    redact: (secrets) => void (redactor = createRedactor(secrets, MIN_REDACTED_CHARACTERS)),
    record(json) {
      if (redactor.text(json) === json) return json;
      const fields = Object.entries(parseJson<Record<string, unknown>>(json));
      return JSON.stringify(
        Object.fromEntries(
          fields.map(([name, value]) =>
            name === '_time' ? [name, value] : [redactor.text(name), redactor.value(value)],
          ),
        ),
      );
    },
    hits(found) {
      const series = new Map<string, LogHits['hits'][number]>();
      for (const one of found.hits) {
        const fields = redactor.value(one.fields);
        const name = JSON.stringify(fields);
        const same = series.get(name);
        // Series of one answer have the same times.
        series.set(
          name,
          same
            ? { ...same, values: same.values.map((n, i) => n + (one.values[i] ?? 0)), total: same.total + one.total }
            : { ...one, fields },
        );
      }
      return { ...found, hits: [...series.values()] };
    },
    values(found) {
      const counts = new Map<string, number>();
      for (const { value, count } of found.values)
        counts.set(redactor.text(value), (counts.get(redactor.text(value)) ?? 0) + count);
      return { ...found, values: [...counts].map(([value, count]) => ({ value, count })) };
    },
  };
}
