/** Every runner takes the next task when it is done with one. */
export async function share<R, T>(
  runners: readonly R[],
  tasks: readonly T[],
  work: (runner: R, task: T) => Promise<void>,
): Promise<void> {
  const queue = [...tasks];
  const takeTurns = async (runner: R): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(runner, next);
  };
  await Promise.all(runners.map(takeTurns));
}
