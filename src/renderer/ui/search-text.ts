import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';

type Search = Record<string, unknown>;

/** Whether a text in an address is read as that text again. */
function isPlain(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  const read: Search = defaultParseSearch(new URLSearchParams({ text }).toString());
  return read['text'] === text;
}

/**
 * The search of an address. A list of words is its name repeated (`?status=FAILED&status=TIMEOUT`), as in the API; what would
 * be read as something else (an empty list, a list of numbers, an object) is JSON. `defaultParseSearch` reads both.
 */
export function searchText(search: Search): string {
  const params = Object.entries(search).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isPlain)
      ? value.map((one: string) => [name, one])
      : [...new URLSearchParams(defaultStringifySearch({ [name]: value }))],
  );
  return params.length === 0 ? '' : `?${new URLSearchParams(params).toString()}`;
}
