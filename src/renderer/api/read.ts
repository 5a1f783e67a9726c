import { keepPreviousData, type QueryKey, queryOptions, type UseQueryOptions } from '@tanstack/react-query';
import type { Answer, RouteName } from '../../contract/routes.ts';
import type { Input } from '../../lib/api-client.ts';
import { call, callUnlessSame } from './client.ts';

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

/** What a list was when it was last read, by its place in the cache, where live changes are put into it. */
const lastRead = new WeakMap<object, { readonly value: unknown; readonly tag: string }>();

/** The same for a list, which stands until the next one is here, and which is not sent again where it is as before. */
export const readList = <N extends RouteName, const K extends QueryKey>(
  key: K,
  name: N,
  input: Input<N>,
  choices: Choices<N, K> = {},
) =>
  queryOptions<Answer<N>, Error, Answer<N>, K>({
    ...read(key, name, input, { placeholderData: keepPreviousData, ...choices }),
    async queryFn({ signal, client, queryKey }) {
      const place = client.getQueryCache().find({ queryKey });
      const last = place && lastRead.get(place);
      const read = await callUnlessSame(last?.tag ?? null, name, { ...input, signal });
      // What came by name is the answer of that route.
      if (read === null) return last?.value as Answer<N>;
      if (place && read.tag !== null) lastRead.set(place, { value: read.value, tag: read.tag });
      return read.value;
    },
  });
