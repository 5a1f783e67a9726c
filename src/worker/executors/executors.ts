import { code } from './code.ts';
import { condition } from './condition.ts';
import { delay } from './delay.ts';
import { createForEachExecutor } from './for-each.ts';
import { handler } from './handler.ts';
import type { Executor } from './executor.ts';
import { http } from './http.ts';
import { template } from './template.ts';
import { transform } from './transform.ts';
import { wait } from './wait.ts';

/** Which executor runs a node of which type. */
const plain: Readonly<Record<string, Executor>> = { transform, condition, code, template, http, delay, handler, wait };
export const EXECUTORS: Readonly<Record<string, Executor>> = { ...plain, forEach: createForEachExecutor(plain) };
