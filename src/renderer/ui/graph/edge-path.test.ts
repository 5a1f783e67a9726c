import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgePath, edgeRoute } from './edge-path.ts';

const box = (x: number, y: number) => ({ x, y, width: 200, height: 60 });

describe('edgePath', () => {
  it('is a curve that leaves and enters level', () => {
    expect(edgePath({ x: 0, y: 0 }, { x: 100, y: 40 })).toBe('M0,0 C50,0 50,40 100,40');
  });

  it('passes the points that it is given', () => {
    const via = [
      { x: 40, y: 80 },
      { x: 60, y: 80 },
    ];
    expect(edgePath({ x: 0, y: 0 }, { x: 100, y: 0 }, via)).toBe(
      'M0,0 C20,0 20,80 40,80 C50,80 50,80 60,80 C80,80 80,0 100,0',
    );
  });

  it('goes back to what is on its left by level lines', () => {
    const d = edgePath({ x: 100, y: 0 }, { x: 0, y: 100 });
    expect(d).toMatch(/^M100,0 L/);
    expect(d).not.toContain('C');
    expect(d).toMatch(/L0,100$/);
    // Half of its way back lies between both heights.
    expect(d).toContain(',50');
  });

  it('is made of numbers alone, whatever its ends', () => {
    const point = fc.record({ x: fc.integer({ min: -5000, max: 5000 }), y: fc.integer({ min: -5000, max: 5000 }) });
    fc.assert(
      fc.property(point, point, (from, to) => {
        expect(edgePath(from, to)).toMatch(/^M[-\d.,]+( [CLQ][-\d., ]+)+$/);
      }),
    );
  });
});

describe('edgeRoute', () => {
  it('is straight where nothing is in the way', () => {
    expect(edgeRoute({ x: 0, y: 0 }, { x: 500, y: 0 }, [box(150, 100)])).toEqual([]);
  });

  it('passes a box on the nearer side', () => {
    const [a, b] = edgeRoute({ x: 0, y: 50 }, { x: 500, y: 50 }, [box(150, 0)]);
    expect([a?.y, b?.y]).toEqual([76, 76]);
    expect(a?.x).toBeLessThan(150);
    expect(b?.x).toBeGreaterThan(350);
  });

  it('passes no box on a way that another one bars', () => {
    const [a] = edgeRoute({ x: 0, y: 50 }, { x: 500, y: 50 }, [box(150, 0), box(150, 70)]);
    expect(a?.y).toBe(-16);
  });

  it('leads on from its start to its end, whatever stands between', () => {
    const boxes = fc.array(fc.tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: -300, max: 300 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(boxes, fc.integer({ min: -200, max: 200 }), (places, y) => {
        const from = { x: 0, y: 0 };
        const to = { x: 1000, y };
        const xs = [
          from,
          ...edgeRoute(
            from,
            to,
            places.map(([x, top]) => box(x, top)),
          ),
          to,
        ].map((point) => point.x);
        expect(xs).toEqual(xs.toSorted((a, b) => a - b));
      }),
    );
  });
});
