/** The place that a pasted link to this console leads to, or null: a link to elsewhere is none of ours to follow. */
export function linkedPath(text: string, here: Pick<Location, 'protocol' | 'host'>): string | null {
  if (!/^[a-z]+:\/\//i.test(text)) return null;
  try {
    const { protocol, host, pathname, search } = new URL(text);
    return protocol === here.protocol && host === here.host
      ? `${pathname.startsWith('//') ? '/' : pathname || '/'}${search}`
      : null;
  } catch {
    return null;
  }
}
