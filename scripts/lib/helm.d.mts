export function ensureHelm(log: (line: string) => void): Promise<string>;
