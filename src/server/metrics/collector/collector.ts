import type { MetricPoint } from '../../../contract/worker-protocol.ts';
import type { Shape, ShapeBatch } from './port.ts';

/** Collects points by shape: nothing is made of a point but a push of its texts and numbers. */
export interface Collector {
  /** Of a shape: a text for each tag ('' = without it), a number for each field (NaN = without it). */
  put(shape: Shape, time: number, tags: readonly string[], values: readonly number[]): void;
  add(point: MetricPoint): void;
  /** Gives away what is collected. */
  flush(): void;
  readonly size: number;
  /** Of the texts and numbers that it holds, with the room that was made for more. */
  readonly bytes: number;
}

/** Of a batch: as many as its texts and numbers have. */
export const bytesOfBatch = ({ texts, times, values }: ShapeBatch): number =>
  texts.length + times.byteLength + values.byteLength;

/** Points of one batch. */
const MOST = 2048;
/** Shapes of `add` that are remembered. */
const SHAPES = 1000;
const BETWEEN = '\u0000';

interface Open {
  texts: string[];
  /** Of all texts. */
  characters: number;
  times: Float64Array<ArrayBuffer>;
  values: Float64Array<ArrayBuffer>;
  count: number;
}

export function createCollector(give: (batch: ShapeBatch) => void): Collector {
  const open = new Map<Shape, Open>();
  const shapes = new Map<string, Shape>();
  let size = 0;
  let bytes = 0;

  const bytesOf = ({ characters, times, values }: Open): number => characters + times.byteLength + values.byteLength;

  function close(shape: Shape, one: Open): void {
    open.delete(shape);
    size -= one.count;
    bytes -= bytesOf(one);
    give({
      ...shape,
      count: one.count,
      texts: one.texts.join(BETWEEN),
      times: one.times.slice(0, one.count),
      values: one.values.slice(0, one.count * shape.fields.length),
    });
  }

  function put(shape: Shape, time: number, tags: readonly string[], values: readonly number[]): void {
    let one = open.get(shape);
    if (!one) {
      one = {
        texts: [],
        characters: 0,
        times: new Float64Array(64),
        values: new Float64Array(64 * shape.fields.length),
        count: 0,
      };
      open.set(shape, one);
      bytes += bytesOf(one);
    } else if (one.count === one.times.length) {
      bytes -= bytesOf(one);
      grow(one, shape);
      bytes += bytesOf(one);
    }
    const { texts, values: all } = one;
    let characters = 0;
    for (let i = 0; i < tags.length; i++) {
      const text = tags[i] ?? '';
      texts.push(text);
      characters += text.length;
    }
    one.characters += characters;
    bytes += characters;
    // Quicker than `set`, which first has to find out what it is given.
    for (let i = 0, at = one.count * shape.fields.length; i < values.length; i++) all[at + i] = values[i] ?? 0;
    one.times[one.count++] = time;
    size++;
    if (one.count >= MOST) close(shape, one);
  }

  function shapeOf({ measurement, tags, fields }: MetricPoint): Shape {
    // Lengths too: names may hold what stands between them, and would then be taken for those of another shape.
    let key = `${measurement.length}${BETWEEN}${measurement}`;
    for (const name in tags) key += `${BETWEEN}${name.length}${BETWEEN}${name}`;
    key += '\u0001';
    for (const name in fields) key += `${BETWEEN}${name.length}${BETWEEN}${name}`;
    let shape = shapes.get(key);
    if (!shape) {
      if (shapes.size >= SHAPES) shapes.clear();
      shapes.set(key, (shape = { measurement, tags: Object.keys(tags), fields: Object.keys(fields) }));
    }
    return shape;
  }

  return {
    put,
    add(point) {
      const { time, tags, fields } = point;
      const shape = shapeOf(point);
      // U+0000 stands between the texts.
      put(
        shape,
        time,
        // A shape lists what the point has.
        shape.tags.map((name) => (tags[name] as string).replaceAll(BETWEEN, '\uFFFD')),
        shape.fields.map((name) => fields[name] as number),
      );
    },
    flush() {
      for (const [shape, one] of open) close(shape, one);
    },
    get size() {
      return size;
    },
    get bytes() {
      return bytes;
    },
  };
}

function grow(one: Open, { fields }: Shape): void {
  const times = new Float64Array(one.times.length * 4);
  times.set(one.times);
  const values = new Float64Array(times.length * fields.length);
  values.set(one.values);
  one.times = times;
  one.values = values;
}
