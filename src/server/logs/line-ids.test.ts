import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LINE_ID, lineIdPrefix, withLineIds, withoutIds } from './line-ids.ts';

it('puts an id into each line that is an object, and changes nothing else', () => {
  const text = '{"a":1.0}\n{}\n\nno json\n  { "b" : 2 }\n{"last":true}';
  expect(withLineIds(Buffer.from(text), '01-ab').toString()).toBe(
    `{"${LINE_ID}":"01ab-0000000","a":1.0}\n{"${LINE_ID}":"01ab-0000001"}\n\nno json\n  {"${LINE_ID}":"01ab-0000004", "b" : 2 }\n{"${LINE_ID}":"01ab-0000005","last":true}`.replace(
      '  {',
      '{',
    ),
  );
});

it('keeps every line JSON, with ids that are the same each time and differ within a batch', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 20 }),
      fc.string(),
      (lines, batch) => {
        const ndjson = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        const given = withLineIds(ndjson, batch);
        expect(withLineIds(ndjson, batch).equals(given)).toBe(true);
        const read = given
          .toString()
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Record<string, unknown>);
        expect(read.length).toBe(lines.length);
        const ids = read.map((line) => String(line[LINE_ID]));
        expect(new Set(ids).size).toBe(lines.length);
        for (const id of ids) expect(id.startsWith(lineIdPrefix(batch))).toBe(true);
        expect(withoutIds(given, new Set(ids)).length).toBe(0);
        expect(withoutIds(given, new Set()).equals(given)).toBe(true);
      },
    ),
  );
});
