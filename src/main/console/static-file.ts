import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { CONSOLE_NONCE, CONSOLE_TYPES } from '../../lib/console-page.ts';
import { consoleContentSecurityPolicy } from '../../lib/content-security-policy.ts';

/**
 * A file of the console's bundle in `folder`; a path without an extension is a place in the console and gets the page,
 * with a fresh nonce in the page and in its policy.
 */
export async function serveStaticFile(folder: string, pathname: string): Promise<Response> {
  const place = extname(pathname) === '' || pathname === '/index.html';
  const file = normalize(join(folder, place ? 'index.html' : decode(pathname)));
  if (!file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return missing();
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch {
    return missing();
  }
  const headers: Record<string, string> = {
    'content-type': CONSOLE_TYPES[extname(file)] ?? 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  if (!place) return new Response(new Uint8Array(content), { headers });
  const nonce = randomBytes(16).toString('base64');
  return new Response(content.toString('utf8').replaceAll(CONSOLE_NONCE, nonce), {
    headers: {
      ...headers,
      'content-security-policy': consoleContentSecurityPolicy(nonce),
      'cache-control': 'no-store',
    },
  });
}

const missing = () => new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } });

function decode(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
