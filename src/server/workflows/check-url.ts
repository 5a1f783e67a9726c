import type { DefinitionFault } from '../../contract/definition.ts';
import { literalAddress, refuseAddress, refuseHostName } from '../../lib/addresses.ts';

/** What the master cannot know before it runs (private networks, names) is left to the worker. */
const ANYWHERE = { allowPrivate: true, allow: [] };

/** Faults of an `http` node's url as far as its beginning is literal: another scheme, or an address that is never called. */
export function checkUrl(url: string, pointer: string): DefinitionFault[] {
  const [literal = ''] = url.trim().split('{{', 1);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(literal)?.[1]?.toLowerCase();
  if (scheme === undefined) return [];
  // `host:80/` reads as a scheme too, and is as wrong.
  if (scheme !== 'http' && scheme !== 'https')
    return [{ pointer, code: 'BAD_CONFIG', message: `must be an http or https URL; got ${scheme}:` }];
  const host =
    /^https?:\/\/[^/?#]+[/?#]/i.test(literal) || literal === url.trim() ? URL.parse(literal)?.hostname : undefined;
  if (host === undefined) return [];
  const address = literalAddress(host);
  const refused = refuseHostName(host) ?? (address === null ? null : refuseAddress(host, address, ANYWHERE));
  return refused === null ? [] : [{ pointer, code: 'BAD_CONFIG', message: refused }];
}
