import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** The first line of a stream, in however many pieces it comes; also one that ends with the stream. Null: it ended without any. */
export function firstLine(stream: Readable): Promise<string | null> {
  return new Promise((resolve) => {
    // A character may be cut between two pieces.
    const decoder = new StringDecoder('utf8');
    let seen = '';
    const done = (line: string | null) => {
      stream.off('data', take).off('end', end);
      resolve(line);
    };
    const take = (piece: Buffer) => {
      seen += decoder.write(piece);
      const at = seen.indexOf('\n');
      if (at >= 0) done(seen.slice(0, at).replace(/\r$/, ''));
    };
    const end = () => {
      seen += decoder.end();
      done(seen === '' ? null : seen);
    };
    stream.on('data', take).once('end', end);
  });
}
