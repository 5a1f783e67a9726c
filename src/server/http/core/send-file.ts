import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../../lib/fault.ts';
import { answerHead } from './head-request.ts';
import { ALREADY_SENT } from './route.ts';

/** An export: `of` is what is in it, `stallSeconds` how long its reader may take nothing. */
interface ExportedFile {
  readonly of: string;
  readonly ending: string;
  readonly type: string;
  readonly now: number;
  readonly stallSeconds: number;
}

/**
 * Answers with pieces, as a file to save that a slow reader slows down.
 *
 * @param mayGoOn asked before each piece: whoever reads slowly would go on reading for hours what they may no longer read
 */
export async function sendFile(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { of, ending, type, now, stallSeconds }: ExportedFile,
  make: () => AsyncGenerator<string | Uint8Array>,
  mayGoOn: () => boolean,
): Promise<typeof ALREADY_SENT> {
  const name = `${of}-${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.${ending}`;
  reply.header('content-disposition', `attachment; filename="${name}"`).header('content-type', type);
  if (answerHead(request, reply)) return ALREADY_SENT;
  const pieces = make();
  // The first piece is read before the answer begins, so that what is refused is answered as a problem.
  const first = await pieces.next().catch((error: unknown) => {
    reply.removeHeader('content-disposition').removeHeader('content-type');
    throw error;
  });
  // A reader that stalls would keep its place for good. Node cuts a connection of which nothing was heard for so long.
  request.raw.socket.setTimeout?.(stallSeconds * 1000);
  async function* all() {
    try {
      if (first.done === true) return;
      yield first.value;
      for await (const piece of pieces) {
        // Cut off, so that nobody takes it for the whole.
        if (!mayGoOn())
          throw new Fault('FORBIDDEN', `the export of ${of} was ended: its reader may not read all of it any more`);
        yield piece;
      }
    } finally {
      // Where the client went away before the rest was asked for.
      await pieces.return(undefined);
    }
  }
  void reply.send(Readable.from(all(), { objectMode: false, highWaterMark: 256 * 1024 }));
  return ALREADY_SENT;
}
