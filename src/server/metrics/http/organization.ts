import { ORGANIZATION } from '../organization.ts';
import type { Bucket, MetricStore } from '../store/port.ts';
import { invalid, notFound } from './answer.ts';

/** Checks the organization that a request names. Where it must name one, it may do so by name or by id. */
export function checkOrganization(query: URLSearchParams, needed: boolean): void {
  const [name, id] = [query.get('org'), query.get('orgID')];
  if (!name && !id) {
    if (needed) throw invalid('Please provide either orgID or org');
    return;
  }
  if (name && name !== ORGANIZATION.name && name !== ORGANIZATION.id)
    throw notFound(`organization name ${JSON.stringify(name)} not found`);
  if (!name && id !== ORGANIZATION.id) throw notFound('organization not found');
}

/** The bucket that a request names by name or id. */
export async function bucketOf(store: Pick<MetricStore, 'buckets'>, query: URLSearchParams): Promise<Bucket> {
  const [name, id] = [query.get('bucket'), query.get('bucketID')];
  if (!name && !id) throw invalid('Please provide either bucketID or bucket');
  const buckets = await store.buckets();
  const found =
    buckets.find((one) => (name ? one.name === name : one.id === id)) ?? buckets.find((one) => one.id === name);
  if (!found) throw notFound(name ? `bucket ${JSON.stringify(name)} not found` : 'bucket not found');
  return found;
}
