import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../lib/code-point.fixture.ts';
import { formatExposition } from './exposition.ts';
import type { Sample } from './port.ts';

it('names each metric once and puts its samples below', () => {
  expect(
    formatExposition([
      { name: 'a_total', type: 'counter', help: 'How many', value: 3, labels: { state: 'up' } },
      { name: 'b', type: 'gauge', help: 'Back\\slash\nand line', value: Number.POSITIVE_INFINITY },
      { name: 'a_total', type: 'counter', help: 'How many', value: 0.5, labels: { state: 'a "b"\\\n' } },
    ]),
  ).toBe(
    '# HELP a_total How many\n# TYPE a_total counter\na_total{state="up"} 3\na_total{state="a \\"b\\"\\\\\\n"} 0.5\n# HELP b Back\\\\slash\\nand line\n# TYPE b gauge\nb +Inf\n',
  );
});

/** A reader of the format as its description has it. */
function read(text: string): { name: string; labels: Record<string, string>; value: number }[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return {
        name,
        labels: Object.fromEntries(
          [...labels.matchAll(/([a-z]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, one]) => [
            key,
            (one as string).replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c)),
          ]),
        ),
        value:
          value === '+Inf' ? Number.POSITIVE_INFINITY : value === '-Inf' ? Number.NEGATIVE_INFINITY : Number(value),
      };
    });
}

it('is read as it was meant, whatever stands in labels', () => {
  const sample = fc.record({
    name: fc.constantFrom('a', 'b_total'),
    type: fc.constant('gauge' as const),
    help: fc.string(),
    value: fc.double(),
    labels: fc.dictionary(
      fc.constantFrom('x', 'y'),
      fc.string({ unit: codePoint }).map((text) => text.replaceAll(/[\r\u2028\u2029\u0085]/g, '')),
    ),
  });
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 6 }), (samples: Sample[]) => {
      const sorted = [...Map.groupBy(samples, ({ name }) => name).values()].flat();
      expect(read(formatExposition(samples))).toEqual(
        sorted.map(({ name, labels, value }) => ({
          name,
          labels: { ...labels },
          value: Object.is(value, -0) ? 0 : value,
        })),
      );
    }),
  );
});
