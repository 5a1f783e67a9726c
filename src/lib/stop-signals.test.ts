import { afterEach, expect, it, vi } from 'vitest';
import { onStopSignal } from './stop-signals.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function listening() {
  vi.useFakeTimers({ toFake: ['performance'] });
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const stop = vi.fn<() => void>();
  return { exit, stop, forget: onStopSignal(['SIGUSR2', 'SIGHUP'], stop) };
}
const send = (name: NodeJS.Signals) => void process.emit(name, name);

it('stops in order at the first signal, and at once at the second', () => {
  const { exit, stop, forget } = listening();
  send('SIGUSR2');
  expect(stop).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(2001);
  send('SIGUSR2');
  expect(exit).toHaveBeenCalledWith(130);
  expect(stop).toHaveBeenCalledOnce();
  forget();
});

it('counts a signal once that comes twice within two seconds', () => {
  const { exit, forget } = listening();
  send('SIGUSR2');
  vi.advanceTimersByTime(1900);
  send('SIGUSR2');
  expect(exit).not.toHaveBeenCalled();
  send('SIGHUP');
  expect(exit).toHaveBeenCalledWith(130);
  forget();
});
