/** Places that always differ: JSON pointers in which `*` stands for any index or key. What lies under one is ignored too. */
export function isIgnored(path: string, ignored: readonly string[]): boolean {
  const steps = path.split('/');
  return ignored.some((pattern) => {
    const wanted = pattern.split('/');
    return wanted.length <= steps.length && wanted.every((step, i) => step === steps[i] || (step === '*' && i > 0));
  });
}

export const onlyIgnored = (paths: readonly string[], ignored: readonly string[]): boolean => paths.every((path) => isIgnored(path, ignored));
