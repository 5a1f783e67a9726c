/** Icon files of Windows and macOS, made of images of several sizes. */

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * An `.ico`. Each image is `{ size, png }`, or `{ size, rgba }` (rows from the top) for small sizes, which not all that reads
 * icons on Windows takes as PNG.
 */
export function icoOf(images) {
  const bodies = images.map(({ size, png, rgba }) => png ?? bitmapOf(size, rgba));
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach(({ size }, at) => {
    const entry = 6 + 16 * at;
    // 256 is written as 0.
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(bodies[at].length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += bodies[at].length;
  });
  return Buffer.concat([head, ...bodies]);
}

/** A bitmap as an icon holds it: rows from the bottom, blue first, and a mask that hides nothing. */
function bitmapOf(size, rgba) {
  const head = Buffer.alloc(40);
  head.writeUInt32LE(40, 0);
  head.writeInt32LE(size, 4);
  head.writeInt32LE(size * 2, 8);
  head.writeUInt16LE(1, 12);
  head.writeUInt16LE(32, 14);
  const pixels = Buffer.alloc(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = (y * size + x) * 4;
      const to = ((size - 1 - y) * size + x) * 4;
      for (const [channel, other] of [
        [0, 2],
        [1, 1],
        [2, 0],
        [3, 3],
      ])
        pixels[to + channel] = rgba[from + other];
    }
  }
  return Buffer.concat([head, pixels, Buffer.alloc(Math.ceil(size / 32) * 4 * size)]);
}

/** Sizes of the images that an `.icns` holds, by the names of their chunks; those "@2x" are for half the size. */
const CHUNKS = { ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 };

/** An `.icns` of PNGs by their size. */
export function icnsOf(pngs) {
  const chunks = Object.entries(CHUNKS).map(([name, size]) => chunk(name, pngs[size]));
  return chunk('icns', Buffer.concat(chunks));
}

function chunk(name, body) {
  const head = Buffer.alloc(8, name, 'latin1');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}

/** Sizes in an `.ico` or `.icns`, or of a PNG, each once, as its images themselves say. */
export function sizesIn(file) {
  if (file.subarray(0, 8).equals(PNG)) return [file.readUInt32BE(16)];
  const images = [];
  if (file.toString('latin1', 0, 4) === 'icns')
    for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) images.push(file.subarray(at + 8));
  else for (let n = 0; n < file.readUInt16LE(4); n++) images.push(file.subarray(file.readUInt32LE(6 + 16 * n + 12)));
  return [
    ...new Set(
      images.map((image) => (image.subarray(0, 8).equals(PNG) ? image.readUInt32BE(16) : image.readInt32LE(4))),
    ),
  ].sort((a, b) => a - b);
}
