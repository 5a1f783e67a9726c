import type { FastifyReply, FastifyRequest } from 'fastify';

/** True for HEAD, which is then answered: the headers of a stream without opening it. */
export function answerHead(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'HEAD') return false;
  void reply.send('');
  return true;
}
