import { isRecord } from '../../lib/is-record.ts';

/** Routes that a POST reads by: they keep nothing. All else that is no GET or HEAD changes something, or may in a later release. */
const READING_POSTS = [/^\/api\/v1\/workflows\/[A-Za-z0-9._~-]+\/check$/, /^\/api\/v1\/alerts\/(preview|template)$/];
/** Routes that only count where the body says so. */
const COUNTING_POSTS = /^\/api\/v1\/jobs\/bulk\/(kill|retry|rerun)$/;

/**
 * May this request pass to a connection that is read-only? What is not known to read is refused, so that a route
 * which is added later is closed until it stands here.
 */
export function isReadOnlyRequest(method: string, pathname: string, body: () => string): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  if (method !== 'POST') return false;
  return READING_POSTS.some((path) => path.test(pathname)) || (COUNTING_POSTS.test(pathname) && isDryRun(body()));
}

function isDryRun(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    // A name that stands twice may be read in two ways: only what is written as the console writes it counts.
    return JSON.stringify(value) === text && isRecord(value) && value['dryRun'] === true;
  } catch {
    return false;
  }
}
