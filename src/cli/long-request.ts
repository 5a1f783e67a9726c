import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';

/** An answer as it comes, however long it takes to begin: `fetch` gives up after five minutes. Rejects where there is no connection. */
export function requestWithoutTimeout(
  method: string,
  target: string,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  const send = target.startsWith('https:') ? secureRequest : plainRequest;
  return new Promise((resolve, reject) =>
    send(target, { method, headers, ...(signal && { signal }) }, resolve)
      .once('error', reject)
      .end(),
  );
}

/** The same answer in the form that `fetch` gives, to be read as a problem. */
export const asResponse = async (answer: IncomingMessage): Promise<Response> => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) if (typeof value === 'string') headers.set(name, value);
  return new Response(await text(answer), { status: answer.statusCode ?? 500, headers });
};
