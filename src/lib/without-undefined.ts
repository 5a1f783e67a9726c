/** The same object without the members that are undefined: they would be written out, or taken for values. */
export const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    // What is left has every member that has a value.
    [K in keyof T]: Exclude<T[K], undefined>;
  };
