import { defineHandlers, NonRetryableError, RetryableError, type HandlerContext } from 'yardmaster/worker';

interface Order {
  sku: string;
  quantity: number;
}

const stock = new Map([
  ['apple', 100],
  ['pear', 5],
]);
/** What was reserved for which task, so that a retry of the same task reserves nothing twice. */
const reserved = new Map<string, number>();

async function reserve(
  { sku, quantity }: Order,
  ctx: HandlerContext,
): Promise<{ sku: string; reserved: number; left: number }> {
  const left = stock.get(sku);
  if (left === undefined) throw new NonRetryableError(`there is no article ${sku}`, { code: 'UNKNOWN_ARTICLE' });
  if (!reserved.has(ctx.taskId)) {
    if (left < quantity)
      throw new RetryableError(`only ${left} of ${sku} are left`, { code: 'OUT_OF_STOCK', retryAfterSeconds: 30 });
    stock.set(sku, left - quantity);
    reserved.set(ctx.taskId, quantity);
  }
  ctx.log('info', `reserved ${quantity} of ${sku}`, { sku, quantity });
  ctx.metric('reserved_articles', quantity, { kind: 'counter', tags: { sku } });
  return { sku, reserved: quantity, left: stock.get(sku) ?? 0 };
}

/** Slow on purpose, to be watched, killed and drained. */
async function pick({ quantity }: Order, ctx: HandlerContext): Promise<{ picked: number }> {
  for (let i = 0; i < quantity; i++) {
    if (ctx.signal.aborted) throw ctx.signal.reason;
    await new Promise((resolve) => setTimeout(resolve, 100));
    ctx.progress((i + 1) / quantity, `${i + 1} of ${quantity} picked`);
  }
  return { picked: quantity };
}

export const handlers = defineHandlers({ reserve, pick });
