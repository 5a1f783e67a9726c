import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WaitSubject } from '../../../contract/approvals.ts';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { jsonTextOf } from '../../../lib/packed-inputs.ts';
import type { LinkPurpose, OpenedLink } from '../../jobs/port.ts';
import type { Actor } from '../../workflows/port.ts';
import { parseBody } from '../core/body.ts';
import { clientAddress } from '../core/forwarded.ts';
import { ALREADY_SENT, route, type App } from '../core/route.ts';
import { answerApproval } from './answer-approval.ts';
import { formFields, formValue } from '../../../lib/form-fields.ts';
import { respondPage } from './respond-page.ts';

interface Answer {
  readonly decision: 'approve' | 'reject';
  readonly comment: string | null;
  readonly form: unknown;
}

/**
 * One-time links: a page for people without an account. Opening it changes nothing, however often: programs that look
 * at links in mails do that. It is answered by its form, or by a program with JSON.
 */
export function respondRoutes(app: App): void {
  const { access, approvals, jobs, limits, proxies, secrets } = app.services;

  /** What is asked for; null: of a signal. Throws LINK_INVALID where the request is gone. */
  function asked(purpose: LinkPurpose): { wait: WaitSubject; status: string } | null {
    if (purpose.kind === 'signal') return null;
    const { wait, status } = approvals.get(purpose.approvalId);
    if (!wait) throw new Fault('LINK_INVALID', 'the link is not for a request that a job waits for');
    return { wait, status };
  }

  async function answer(link: OpenedLink, given: Answer, request: FastifyRequest): Promise<string> {
    const { purpose } = link;
    const actor: Actor = { name: `link: ${link.for}`, role: null, address: clientAddress(request.raw, proxies) };
    const by = { name: actor.name, audit: access.audit.entry(actor) };
    if (purpose.kind === 'signal') {
      const { repeated } = await jobs.waits.signal(
        { ...purpose, payload: jsonTextOf(given.form ?? null), key: `link:${link.nonce}` },
        by,
      );
      if (repeated) throw new Fault('LINK_USED', 'the link was already used: the signal was sent');
      return 'The signal was sent.';
    }
    const found = asked(purpose);
    if (!found) return '';
    const { decision, comment } = given;
    const form = given.form === null || given.form === undefined ? null : jsonTextOf(given.form);
    await answerApproval(app, purpose.approvalId, found.wait, { decision, comment, form }, by);
    return decision === 'approve' ? 'Approved. The job goes on.' : 'Rejected.';
  }

  function show(reply: FastifyReply, status: number, page: (nonce: string) => string): unknown {
    const nonce = randomBytes(18).toString('base64');
    void reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      )
      .send(page(nonce));
    return ALREADY_SENT;
  }

  const say = (reply: FastifyReply, status: number, title: string, text: string) =>
    show(reply, status, (nonce) => respondPage({ nonce, title, text, fields: null }));

  /** What goes wrong is said on the page, too. */
  async function onPage(reply: FastifyReply, run: () => Promise<unknown>): Promise<unknown> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Fault) || !Object.hasOwn(TITLES, error.code)) throw error;
      const [status, title] = TITLES[error.code] ?? [400, 'Error'];
      return say(reply, status, title, error.message);
    }
  }

  route(app, 'respond.show', ({ params: { token }, reply }) =>
    onPage(reply, async () => {
      const { purpose, for: to } = await jobs.waits.links.open(token);
      const found = asked(purpose);
      if (found && found.status !== 'open')
        return say(reply, 200, 'Already decided', `This request is ${found.status}. Nothing is left to do.`);
      // Made of the job's input, and shown to people without an account.
      const title = found
        ? secrets.redactor.text(found.wait.title)
        : `Send signal ${purpose.kind === 'signal' ? purpose.name : ''}`;
      const about = found
        ? `${found.wait.workflowId}${found.wait.environment === null ? '' : ` (${found.wait.environment})`} waits for your answer, ${to}.`
        : `A job waits for this signal, ${to}.`;
      const fields = { isApproval: found !== null, form: found ? formFields(found.wait.form) : [] };
      return show(reply, 200, (nonce) => respondPage({ nonce, title, text: about, fields }));
    }),
  );
  route(app, 'respond.answer', async ({ params: { token }, request, reply }) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (bytes.length > limits.signalBytes)
      throw new Fault('BODY_TOO_LARGE', `an answer has at most ${limits.signalBytes} bytes (limit signalBytes)`);
    if (/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
      const link = await jobs.waits.links.open(token);
      const { value } = parseBody(bytes, limits);
      const done = await answer(link, fromJson(value, link.purpose), request);
      return { done };
    }
    return onPage(reply, async () => {
      const link = await jobs.waits.links.open(token);
      const sent = new URLSearchParams(bytes.toString());
      const found = asked(link.purpose);
      const decision = sent.get('decision') === 'approve' ? 'approve' : 'reject';
      if (found && !['approve', 'reject'].includes(sent.get('decision') ?? ''))
        throw new Fault('INPUT_INVALID', 'choose Approve or Reject');
      const comment = sent.get('comment')?.trim().slice(0, 2000) ?? '';
      const form =
        found?.wait.form && decision === 'approve'
          ? formValue(formFields(found.wait.form), (name) => sent.get(`field.${name}`))
          : null;
      const done = await answer(link, { decision, comment: comment === '' ? null : comment, form }, request);
      return say(reply, 200, done, 'You can close this page. The link does not work again.');
    });
  });
}

/** Faults that people meet with such a link. */
const TITLES: Readonly<Record<string, readonly [number, string]>> = {
  LINK_INVALID: [404, 'This link does not work'],
  LINK_USED: [409, 'This link was already used'],
  ALREADY_DECIDED: [409, 'Already decided'],
  APPROVAL_NOT_FOUND: [404, 'This link does not work'],
  JOB_NOT_FOUND: [404, 'This link does not work'],
  JOB_FINISHED: [409, 'The job has finished'],
  TOO_MANY_SIGNALS: [409, 'Too many signals'],
  INPUT_INVALID: [422, 'Please go back and check the form'],
};

function fromJson(value: unknown, { kind }: LinkPurpose): Answer {
  if (kind === 'signal') return { decision: 'approve', comment: null, form: value };
  if (!isRecord(value) || (value['decision'] !== 'approve' && value['decision'] !== 'reject'))
    throw new Fault('INPUT_INVALID', 'expected an object with decision: "approve" or "reject"', {
      errors: [{ pointer: '/decision', message: 'expected approve or reject' }],
    });
  const comment = value['comment'];
  return {
    decision: value['decision'],
    comment: typeof comment === 'string' ? comment.slice(0, 2000) : null,
    form: value['form'] ?? null,
  };
}
