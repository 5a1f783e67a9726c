import type { FastifyRequest } from 'fastify';
import type { Link } from '../../../contract/waits.ts';
import type { LinkPurpose } from '../../jobs/port.ts';
import type { Actor } from '../../workflows/port.ts';
import { publicOriginOf } from '../core/origin.ts';
import type { App } from '../core/route.ts';

const WEEK_SECONDS = 7 * 86_400;

/** Makes a one-time link under the public address of the master, and records for whom. */
export async function makeLink(
  { services }: Pick<App, 'services'>,
  purpose: LinkPurpose,
  { for: to, expiresSeconds = WEEK_SECONDS }: { for: string; expiresSeconds?: number | undefined },
  { actor, request }: { actor: Actor; request: FastifyRequest },
): Promise<Link> {
  const { access, clock, jobs } = services;
  const { path, expiresAt } = await jobs.waits.links.make(purpose, to, clock.now() + expiresSeconds * 1000);
  const target = purpose.kind === 'approval' ? `approval:${purpose.approvalId}` : `job:${purpose.jobId}`;
  const after = { for: to, expiresAt, ...(purpose.kind === 'signal' ? { name: purpose.name } : {}) };
  await access.audit.note(actor, { action: `${purpose.kind}.link`, target, before: null, after });
  return { url: `${publicOriginOf(request.raw, services)}${path}`, expiresAt };
}
