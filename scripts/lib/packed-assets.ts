import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const PACKED = /\.(?:js|css)$/;
/** Bytes: of a smaller file the better packing saves next to nothing. */
const LEAST = 4096;
/** A tenth smaller than a master can afford while somebody waits for it; one more saves a hundredth and takes twice the time. */
const QUALITY = 11;

/** A plugin of the build that packs the console's scripts and styles by Brotli, each into a file beside it (`.br`), which masters send. */
export const packedAssets = () => ({
  name: 'packed-assets',
  async writeBundle({ dir = '' }: { dir?: string }, bundle: Record<string, unknown>): Promise<void> {
    await Promise.all(
      Object.keys(bundle)
        .filter((name) => PACKED.test(name))
        .map(async (name) => {
          const plain = await readFile(join(dir, name));
          if (plain.length < LEAST) return;
          const params = {
            [constants.BROTLI_PARAM_QUALITY]: QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
          };
          await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(plain, { params }));
        }),
    );
  },
});
