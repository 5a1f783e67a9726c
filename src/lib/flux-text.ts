const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '${': '\\${',
};

/** A Flux string: its quotes, and nothing within that ends it or is looked up. */
export const fluxText = (value: string): string =>
  `"${value.toWellFormed().replaceAll(
    // eslint-disable-next-line no-control-regex -- they are what is replaced
    /["\\]|\$\{|[\u0000-\u001f]/g,
    (found) => SHORT[found] ?? `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )}"`;
