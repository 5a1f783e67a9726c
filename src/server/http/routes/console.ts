import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';
import { CONSOLE_NONCE, CONSOLE_TYPES } from '../../../lib/console-page.ts';
import { consoleContentSecurityPolicy } from '../../../lib/content-security-policy.ts';
import { Fault } from '../../../lib/fault.ts';
import { etagOf, matchesEtag } from '../core/etag.ts';
import { sendProblem } from '../core/problem.ts';
import type { Services } from '../core/services.ts';

export interface Console {
  /** Takes the request where it is for a file or a page of the console. */
  answer(path: string, request: FastifyRequest, reply: FastifyReply): boolean;
}

interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly stamp: string;
  readonly plain: Buffer;
  readonly file: string;
  /** Made on the first request that takes it, on a thread of zlib's, and kept. */
  gzip?: Promise<Buffer>;
  br?: Promise<Buffer>;
}

const PACKED = new Set(['.html', '.js', '.mjs', '.css', '.json', '.map', '.webmanifest', '.svg', '.wasm', '.txt']);
const SAFE_PATH = /^(?:\/[A-Za-z0-9_@-][A-Za-z0-9._@-]*)+$/;
const HASHED = /^\/assets\/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;
const HTML = /text\/html|application\/xhtml\+xml/i;
const MAX_ASSETS = 500;

/** The built console: hashed files are kept by browsers for ever, the page is made afresh with a nonce for each answer. */
export function createConsole({ consoleFolder }: Pick<Services, 'consoleFolder'>): Console {
  const assets = new Map<string, Asset>();

  /** A file of the folder as it is now; null where there is none. A rebuilt console is taken up without a restart. */
  async function load(path: string): Promise<Asset | null> {
    const extension = extname(path);
    const type = CONSOLE_TYPES[extension];
    if (consoleFolder === null || type === undefined || !SAFE_PATH.test(path)) return null;
    const file = join(consoleFolder, path);
    const info = await stat(file).catch(() => null);
    if (!info?.isFile()) return null;
    const stamp = `${info.mtimeMs} ${info.size}`;
    const known = assets.get(path);
    if (known?.stamp === stamp) return known;
    const plain = await readFile(file);
    const asset: Asset = {
      type,
      plain,
      file,
      stamp,
      etag: etagOf(plain),
    };
    if (assets.size >= MAX_ASSETS) assets.clear();
    assets.set(path, asset);
    return asset;
  }

  async function sendFile(path: string, asset: Asset, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply
      .header('content-type', asset.type)
      .header('etag', asset.etag)
      .header('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (PACKED.has(extname(path))) reply.header('vary', 'accept-encoding');
    if (matchesEtag(request.headers['if-none-match'], asset.etag)) return void reply.code(304).send();
    const encoding = PACKED.has(extname(path)) ? encodingFor(request.headers['accept-encoding']) : null;
    if (encoding) reply.header('content-encoding', encoding);
    void reply.send(encoding ? await packed(asset, encoding) : asset.plain);
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const page = await load('/index.html');
    if (!page)
      return void sendProblem(
        reply,
        new Fault(
          'ROUTE_NOT_FOUND',
          'this master serves no console: the console is not built (run `npm run build`) or is disabled',
        ),
      );
    const nonce = randomBytes(18).toString('base64');
    reply
      .header('content-type', CONSOLE_TYPES['.html'])
      .header('content-security-policy', consoleContentSecurityPolicy(nonce))
      .header('cache-control', 'no-store')
      .header('cross-origin-opener-policy', 'same-origin');
    const html = page.plain.toString('utf8').replaceAll(CONSOLE_NONCE, nonce);
    const packs = encodingFor(request.headers['accept-encoding']) !== null;
    if (packs) reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding');
    void reply.send(packs ? await promisify(gzip)(html) : html);
  }

  async function serve(path: string, wantsPage: boolean, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const asset = path === '/' || path === '/index.html' ? null : await load(path);
    if (asset) return sendFile(path, asset, request, reply);
    if (wantsPage) return sendPage(request, reply);
    return void sendProblem(
      reply,
      new Fault('ROUTE_NOT_FOUND', `route GET ${path.slice(0, 200)} not found; /docs lists all routes`),
    );
  }

  return {
    answer(path, request, reply) {
      if (consoleFolder === null) return false;
      const { accept } = request.headers;
      const wantsPage =
        (accept !== undefined && HTML.test(accept)) ||
        ((path === '/' || path === '/index.html') && (accept === undefined || accept.includes('*/*')));
      if (!wantsPage && (CONSOLE_TYPES[extname(path)] === undefined || !SAFE_PATH.test(path))) return false;
      serve(path, wantsPage, request, reply).catch((error: unknown) => sendProblem(reply, error));
      return true;
    },
  };
}

function packed(asset: Asset, encoding: 'br' | 'gzip'): Promise<Buffer> {
  if (encoding === 'br') return (asset.br ??= brotli(asset));
  return (asset.gzip ??= promisify(gzip)(asset.plain, { level: 6 }));
}

/** As the build packed it, which had more time than a request has, where that is whole and of this file; else packed here. */
async function brotli({ file, plain }: Asset): Promise<Buffer> {
  const built = await readFile(`${file}.br`).catch(() => null);
  const unpacked = built && (await promisify(brotliDecompress)(built).catch(() => null));
  if (built && unpacked?.equals(plain)) return built;
  return promisify(brotliCompress)(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
}

function encodingFor(header: string | string[] | undefined): 'br' | 'gzip' | null {
  const offered = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]);
  return offered.includes('br') ? 'br' : offered.includes('gzip') ? 'gzip' : null;
}
