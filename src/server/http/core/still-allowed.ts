import type { FastifyRequest } from 'fastify';
import type { Identity } from '../../access/port.ts';
import { identify } from './auth.ts';
import type { App } from './route.ts';

/**
 * Whether an open stream may go on, asked whenever a credential has ended or a grant has changed. A person whose grants may be
 * others now comes anew, and is checked as at the start: browsers do that by themselves.
 */
export function stillAllowed(
  { services: { access, proxies } }: Pick<App, 'services'>,
  { grants }: Pick<Identity, 'grants'>,
  request: FastifyRequest,
): () => boolean {
  return () => {
    try {
      return identify(access, request, proxies).grants === grants;
    } catch {
      return false;
    }
  };
}
