/** A value that is ready, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Calls `next` with a value: immediately if it is ready, so that no promise is created if none is needed. */
export function whenReady<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
