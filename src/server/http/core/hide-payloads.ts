import { HIDDEN_PAYLOAD, type Task } from '../../../contract/tasks.ts';

/** A task as it is told to people who may not read payloads. What is absent is told as well: the state says it anyway. */
export const hidePayloads = <T extends Pick<Task, 'input' | 'output'>>(task: T): T => ({
  ...task,
  input: HIDDEN_PAYLOAD,
  output: task.output === null ? null : HIDDEN_PAYLOAD,
});
