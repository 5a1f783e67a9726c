/** The inputs of a rerun as text: the very bytes of each, one under the other, so that none loses a digit. */
export function listText(inputs: readonly string[]): string {
  if (inputs.length === 0) return '[]';
  return `[\n${inputs.map((one) => indent(one)).join(',\n')}\n]`;
}

/** Lines move in; what stands in a JSON text between lines means nothing, and a text in it holds no line break. */
const indent = (text: string): string => text.split('\n').map((line) => `  ${line}`).join('\n');

/** Tasks whose inputs are those of the replicas, in order; of several items of one replica none stands for it. */
export function inputTasks<T extends { replica: number; item: number | null; id: string }>(tasks: readonly T[], replicas: number): T[] | null {
  const byReplica = new Map<number, T>();
  for (const task of tasks) if (task.item === null && !byReplica.has(task.replica)) byReplica.set(task.replica, task);
  if (byReplica.size < replicas) return null;
  return [...byReplica.values()].sort((a, b) => a.replica - b.replica);
}
