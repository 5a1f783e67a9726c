import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * The tokens' colours by themselves: states stay apart for people who see red, green or blue badly, and text can be read.
 * Simulation: Machado, Oliveira and Fernandes 2009, severity 1, on linear sRGB. Distance: CIE76 in CIELAB (D65), where 2.3
 * is what a trained eye just tells apart.
 */
const css = readFileSync(new URL('../../src/renderer/styles/tokens.css', import.meta.url), 'utf8');
type Rgb = readonly [number, number, number];

const SIGHT = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const;

function tokens(theme: 'light' | 'dark'): Record<string, Rgb> {
  const block = css.slice(css.indexOf(`[data-mantine-color-scheme='${theme}']`)).split('}')[0] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): #([0-9a-f]{6});/g)].map(([, name, hex]) => [
      name,
      [0, 2, 4].map((at) => parseInt((hex as string).slice(at, at + 2), 16) / 255) as unknown as Rgb,
    ]),
  );
}
const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const lit = ([r, g, b]: Rgb): Rgb => [linear(r), linear(g), linear(b)];
const seen = (rgb: Rgb, matrix: readonly (readonly number[])[]): Rgb =>
  matrix.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, k, i) => sum + k * (lit(rgb)[i] as number), 0),
      ),
    ),
  ) as unknown as Rgb;

function lab([r, g, b]: Rgb): Rgb {
  const f = (v: number) => (v > 216 / 24389 ? Math.cbrt(v) : (24389 / 27 / 116) * v + 16 / 116);
  const [x, y, z] = [
    f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047),
    f(0.2126 * r + 0.7152 * g + 0.0722 * b),
    f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883),
  ];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const distance = (a: Rgb, b: Rgb): number => Math.hypot(...lab(a).map((v, i) => v - (lab(b)[i] as number)));
const luminance = (rgb: Rgb): number => 0.2126 * lit(rgb)[0] + 0.7152 * lit(rgb)[1] + 0.0722 * lit(rgb)[2];
const contrast = (a: Rgb, b: Rgb): number =>
  (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);

/** The states that decide what an operator does; the other tones stand beside a word and an icon like these. */
const TELLING = ['done', 'run', 'fail', 'partial', 'late'] as const;

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const of = tokens(theme);
  const colour = (name: string): Rgb => of[name] ?? expect.fail(`no token ${name}`);

  it.each(Object.entries(SIGHT))('tells the states apart with %s sight', (sight, matrix) => {
    const pairs = TELLING.flatMap((a, i) =>
      TELLING.slice(i + 1).map((b) => ({
        pair: `${a} ${b}`,
        far: distance(seen(colour(`tone-${a}`), matrix), seen(colour(`tone-${b}`), matrix)),
      })),
    );
    const nearest = pairs.toSorted((a, b) => a.far - b.far)[0];
    expect(nearest?.far, nearest?.pair).toBeGreaterThan(sight === 'usual' ? 30 : 14);
  });

  it('writes each state at 4.5 : 1 on its tint, and text on every surface', () => {
    const tones = Object.keys(of).flatMap((name) => (/^tone-\w+-text$/.test(name) ? [name.slice(5, -5)] : []));
    expect(tones.length).toBe(10);
    for (const tone of tones) {
      expect(contrast(colour(`tone-${tone}-text`), colour(`tone-${tone}-bg`)), tone).toBeGreaterThanOrEqual(4.5);
      expect(contrast(colour(`tone-${tone}-text`), colour('surface-1')), tone).toBeGreaterThanOrEqual(4.5);
    }
    for (const ink of ['ink', 'ink-2', 'ink-3'])
      for (const surface of ['surface-0', 'surface-1', 'surface-2'])
        expect(contrast(colour(ink), colour(surface)), `${ink} on ${surface}`).toBeGreaterThanOrEqual(4.5);
  });

  it('shows the focus at 3 : 1 on what it surrounds', () => {
    for (const surface of ['surface-0', 'surface-1', 'surface-2', 'nav-bg'])
      expect(contrast(colour('focus'), colour(surface)), surface).toBeGreaterThanOrEqual(3);
  });
});

describe('the scale of type', () => {
  const sources = globSync('src/renderer/**/*.{css,ts,tsx}', { exclude: (name) => /\.test\.tsx?$/.test(name) });
  const SIZE = /^(?:inherit|[\d.]+em|var\(--(?:text-(?:tiny|small|normal|large|title|figure)|font-size)\))$/;
  const WEIGHT = /^(?:inherit|400|500|600)$/;
  /** Every value that `find` captures and `good` does not take, with its place. */
  const loose = (find: RegExp, good: RegExp): string[] =>
    sources
      .filter((name) => !name.endsWith('fonts.css'))
      .flatMap((name) =>
        [...readFileSync(name, 'utf8').matchAll(find)].flatMap(([, value = '']) =>
          // A range takes its ends from the scale.
          (/^clamp\((.+?), .*, (.+)\)$/.exec(value)?.slice(1) ?? [value]).every((one) => good.test(one.trim()))
            ? []
            : [`${name}: ${value}`],
        ),
      );

  it('has the sizes that are used, and is used for all of them', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(loose(/(?<!-)font-size: ([^;\n]+);/g, SIZE)).toEqual([]);
    expect(loose(/\bfz=\{?["']?([^"'}]+)["']?\}?/g, SIZE)).toEqual([]);
    expect(loose(/\bfontSize: '([^']+)'/g, SIZE)).toEqual([]);
    expect(loose(/(?<!-)\bfont: (?:[^;]*\s)?([\d.]+(?:px|r?em)[^;]*);/g, SIZE)).toEqual([]);
  });

  it('has the weights that are used', () => {
    expect(loose(/font-weight: ([^;\n]+);/g, WEIGHT)).toEqual([]);
    expect(loose(/\bfw=\{?["']?([^"'}]+)["']?\}?/g, WEIGHT)).toEqual([]);
    expect(loose(/\bfontWeight: '?(\w+)/g, WEIGHT)).toEqual([]);
  });
});
