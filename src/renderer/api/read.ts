import { keepPreviousData, type QueryKey, queryOptions, type UseQueryOptions } from '@tanstack/react-query';
import type { Answer, RouteName } from '../../contract/routes.ts';
import type { Input } from '../../lib/api-client.ts';
import { call } from './client.ts';

type Choices<N extends RouteName, K extends QueryKey> = Partial<
  Omit<UseQueryOptions<Answer<N>, Error, Answer<N>, K>, 'queryKey' | 'queryFn' | 'initialData' | 'select'>
>;

/** How a route is read: `key` is its place in the cache, `input` what it is asked. */
export const read = <N extends RouteName, const K extends QueryKey>(
  key: K,
  name: N,
  input: Input<N>,
  choices: Choices<N, K> = {},
) =>
  queryOptions<Answer<N>, Error, Answer<N>, K>({
    queryKey: key,
    queryFn: ({ signal }) => call(name, { ...input, signal }),
    // Sharing with the old answer copies objects, and a copied raw number is none any more.
    ...(input.lossless === true && { structuralSharing: false }),
    ...choices,
  });

/** The same for a list, which stands until the next one is here. */
export const readList = <N extends RouteName, const K extends QueryKey>(
  key: K,
  name: N,
  input: Input<N>,
  choices: Choices<N, K> = {},
) => read(key, name, input, { placeholderData: keepPreviousData, ...choices });
